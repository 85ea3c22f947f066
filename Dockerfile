# Plugboard as an unprivileged user. It writes only to /data, and with Postgres not even there.
FROM node:24-bookworm-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
# The image has Node 24 already: the one in optionalDependencies is for machines with an older Node.
RUN npm ci --omit=dev --omit=optional --ignore-scripts --no-audit --no-fund

# All modules in a few files, which makes a start twice as fast.
FROM node:24-bookworm-slim AS bundle
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY bin ./bin
COPY src ./src
RUN ["node", "bin/plugboard.js", "warm"]

FROM node:24-bookworm-slim
# Nothing is installed at run time, so no package manager is needed.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*
WORKDIR /app
COPY --from=dependencies /app/node_modules ./node_modules
# The bundle is used with the sources of which it was made.
COPY --from=bundle /app/package.json ./
COPY --from=bundle /app/bin ./bin
COPY --from=bundle /app/src ./src
# The guides, which the service shows.
COPY docs ./docs
RUN install --directory --owner=node --group=node --mode=700 /data
COPY --from=bundle --chown=node:node /app/node_modules/.cache ./node_modules/.cache
USER node
# Fills the compile cache as the user who will read it: at run time the file system may be read-only.
RUN ["node", "bin/plugboard.js", "warm"]

# With this HOST, the emulated providers need SANDBOX=public.
ENV NODE_ENV=production HOST=0.0.0.0 PORT=8080 DATA_DIR=/data SANDBOX=off
VOLUME /data
EXPOSE 8080
# Liveness, not readiness: an unavailable database is no reason to restart.
HEALTHCHECK --interval=10s --timeout=5s --start-period=20s --retries=3 \
  CMD ["node", "-e", "fetch('http://127.0.0.1:' + process.env.PORT + '/healthz').then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
ENTRYPOINT ["node", "--max-semi-space-size=16", "bin/plugboard.js"]
CMD ["start"]
