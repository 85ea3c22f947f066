// A Postgres database and a Redis for the run, if they are available on this machine.
import { connect } from "node:net";
import pg from "pg";

const REDIS = process.env.TEST_REDIS_URL ?? "redis://127.0.0.1:6379";
const POSTGRES = process.env.TEST_DATABASE_URL ?? "postgres://postgres@127.0.0.1:5432/test";

const isReachable = (url: string) =>
  new Promise<boolean>((resolve) => {
    const { hostname, port } = new URL(url);
    const socket = connect(Number(port), hostname, () => {
      socket.end();
      resolve(true);
    });
    socket.on("error", () => resolve(false));
  });

export async function externalDatabase(): Promise<{ databaseUrl: string; redisUrl: string } | undefined> {
  if (!(await isReachable(REDIS)) || !(await isReachable(POSTGRES))) {
    console.error("Postgres and Redis are not available on this machine: skipping that part");
    return undefined;
  }
  const name = "plugboard_bench";
  const client = new pg.Client(POSTGRES);
  await client.connect();
  await client.query(`drop database if exists ${name} with (force)`);
  await client.query(`create database ${name}`);
  await client.end();
  const url = new URL(POSTGRES);
  url.pathname = `/${name}`;
  return { databaseUrl: url.href, redisUrl: REDIS };
}
