// Accepts everything that is sent to it.
import { createServer } from "node:http";
import { announce } from "./announce.ts";

announce(createServer((request, response) => void request.resume().on("end", () => response.end())));
