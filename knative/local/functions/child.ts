import { functions } from "../../../functions/index.ts";
import { serveChild } from "./serve-child.ts";

await serveChild(functions);
