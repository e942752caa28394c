import { httpFunctions } from "../../../functions/index.ts";
import { readConfig } from "../../../shared/host/config.ts";
import { serveHttpFunction } from "../../../shared/host/http-main.ts";

/** Serves the HTTP function named in FUNCTION as a child of the laptop and ends with it. */
const { FUNCTION } = readConfig();
const definition = httpFunctions.find(({ name }) => name === FUNCTION);
if (!definition) throw new Error(`no HTTP function is called ${FUNCTION}`);
process.once("disconnect", () => process.exit(1));
await serveHttpFunction(definition);
