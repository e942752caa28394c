import { MAX_ATTACHMENT_BYTES, MAX_ICON_BYTES } from "../../../shared/pictures.ts";
import { present } from "../../../shared/present.ts";
import { defineCommand, UsageError } from "../command.ts";
import { STORE_OPTIONS } from "../store/address.ts";
import { appPath } from "../store/paths.ts";
import { readBase64 } from "../store/read-base64.ts";
import { Done } from "../store/shapes.ts";
import { APP_ARGUMENT, APP_HINT } from "./argument.ts";

/** Larger pictures the store refuses, so they are not read. */
const MAX_BYTES = { icon: MAX_ICON_BYTES, screenshot: MAX_ATTACHMENT_BYTES } as const;

/** opx app edit */
export const appEdit = defineCommand({
  name: "app edit",
  summary: "Change how an application is shown: its words, category, icon and screenshots.",
  arguments: [APP_ARGUMENT],
  options: {
    name: { type: "string", value: "TEXT", description: "name that people see" },
    abstraction: { type: "string", value: "TEXT", description: "what it is, in a sentence" },
    description: { type: "string", value: "TEXT", description: "what it is, at length" },
    home: { type: "string", value: "URL", description: "its home page" },
    category: { type: "string", value: "ID", description: "category that it belongs to; none for no category" },
    icon: { type: "string", value: "FILE", description: "picture that stands for it" },
    screenshot: { type: "string", value: "FILE", description: "picture that is added to its screenshots" },
    "remove-screenshot": { type: "string", value: "NUMBER", description: "screenshot that is taken away, from 0 to 5" },
    ...STORE_OPTIONS,
  },
  examples: ["app edit app-x1y2z3 --category ctg-a1b2c3 --icon logo.png", "app edit app-x1y2z3 --category none"],
  async run({ arguments: [id = ""], options }, context) {
    const changes = await changesOf(options);
    const store = await context.store(options);
    const path = appPath(id);
    // The API takes one picture at a time.
    for (const body of changes) await store.call({ method: "PATCH", path, body, hint: APP_HINT }, Done);
    return { json: { app_id: id, changed: true }, lines: [`${id}: changed`] };
  },
});

interface Wanted {
  readonly name: string | undefined;
  readonly abstraction: string | undefined;
  readonly description: string | undefined;
  readonly home: string | undefined;
  readonly category: string | undefined;
  readonly icon: string | undefined;
  readonly screenshot: string | undefined;
  readonly "remove-screenshot": string | undefined;
}

async function changesOf({ category, icon, screenshot, ...wanted }: Wanted): Promise<readonly object[]> {
  const { name, abstraction, description, home, "remove-screenshot": removed } = wanted;
  const category_id = category === "none" ? "" : category;
  const words = present({ name, abstraction, description, home, category_id });
  const [first, ...others] = [
    ...(icon === undefined ? [] : [await picture("icon", icon)]),
    ...(screenshot === undefined ? [] : [await picture("screenshot", screenshot)]),
    ...(removed === undefined ? [] : [{ type: "screenshot", sequence: screenshotNumber(removed) }]),
  ];
  if (!first && Object.keys(words).length === 0) throw new UsageError("nothing to change; see opx app edit --help");
  return [{ ...words, ...first }, ...others];
}

function screenshotNumber(text: string): number {
  if (/^[0-5]$/.test(text)) return Number(text);
  throw new UsageError(`--remove-screenshot ${text} is no number from 0 to 5`);
}

async function picture(type: "icon" | "screenshot", file: string): Promise<object> {
  return { type, attachment_content: await readBase64(file, MAX_BYTES[type]) };
}
