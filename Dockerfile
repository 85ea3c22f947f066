# Plugboard as an unprivileged user. It writes only to /data, and with Postgres not even there. `npm run image:check` runs
# these steps in a clean Debian, without a container engine.

# The same for every architecture, so it is made once, on that of the builder: the npm package, unpacked.
FROM --platform=$BUILDPLATFORM node:24-bookworm-slim AS package
WORKDIR /checkout
COPY package.json package-lock.json .npmrc ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json CHANGELOG.md LICENSE README.md ./
COPY bin ./bin
COPY docs ./docs
COPY scripts ./scripts
COPY src ./src
RUN ["node", "scripts/release/stage.ts", "/package"]

FROM node:24-bookworm-slim
LABEL org.opencontainers.image.title="Plugboard" org.opencontainers.image.licenses="MIT"
# Nothing is installed at run time, so no package manager is needed.
RUN rm -rf /usr/local/lib/node_modules /usr/local/bin/npm /usr/local/bin/npx /usr/local/bin/corepack /opt/yarn-*
WORKDIR /app
COPY --from=package /package ./
RUN install --directory --owner=node --group=node --mode=700 /data && \
  install --directory --owner=node --group=node node_modules/.cache
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
ENTRYPOINT ["node", "bin/plugboard.js"]
CMD ["start"]
