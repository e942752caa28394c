import type { Event, ExtensionValue } from "../../../shared/event.ts";

const ALIASES: Readonly<Record<string, string>> = { schemaurl: "dataschema", datamediatype: "datacontenttype" };
const NO_ATTRIBUTES = new Set(["data", "extensions"]);

/** The context attribute of that name as filters see it: our own optional ones and foreign extensions alike. */
export function attributeOf(event: Event, name: string): ExtensionValue | undefined {
  if (NO_ATTRIBUTES.has(name)) return undefined;
  const key = ALIASES[name] ?? name;
  const own = Object.entries(event).find(([each]) => each === key)?.[1];
  return isExtensionValue(own) ? own : event.extensions?.[key];
}

function isExtensionValue(value: unknown): value is ExtensionValue {
  return typeof value === "string" || typeof value === "number" || typeof value === "boolean";
}
