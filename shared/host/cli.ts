import { functions, httpFunctions } from "../../functions/index.ts";
import { readConfig } from "./config.ts";
import { serveHttpFunction } from "./http-main.ts";
import { serve } from "./main.ts";

const { FUNCTION } = readConfig();
const identity = functions.find(({ name }) => name === FUNCTION);
const http = httpFunctions.find(({ name }) => name === FUNCTION);
if (identity) await serve(identity);
else if (http) await serveHttpFunction(http);
else {
  const names = [...functions, ...httpFunctions].map(({ name }) => name).join(", ");
  process.stderr.write(`no function is called ${FUNCTION}; set FUNCTION to one of ${names}\n`);
  process.exitCode = 1;
}
