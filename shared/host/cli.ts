import { functions } from "../../functions/index.ts";
import { readConfig } from "./config.ts";
import { serve } from "./main.ts";

const { FUNCTION } = readConfig();
const identity = functions.find(({ name }) => name === FUNCTION);
if (identity) await serve(identity);
else {
  const names = functions.map(({ name }) => name).join(", ");
  process.stderr.write(`no function is called ${FUNCTION}; set FUNCTION to one of ${names}\n`);
  process.exitCode = 1;
}
