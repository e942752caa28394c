import { ageOf } from "./age.ts";
import { toStored } from "./event-fields.ts";
import type { KubeObject } from "./object.ts";
import { at, textOf } from "./schema/json.ts";
import type { Cell } from "./table-cell-values.ts";
import { text } from "./table-columns.ts";
import type { TableColumn } from "./tables.ts";

// Events of both groups are shown alike.
const ofEvent =
  (cell: Cell): Cell =>
  (object) =>
    cell(toStored(object));

const ago = (time: string): string => (time === "" ? "<unknown>" : ageOf(time));

function firstSeen(event: KubeObject): string {
  return ago(textOf(event["firstTimestamp"]) || textOf(event["eventTime"]));
}

function lastSeen(event: KubeObject): string {
  const last = textOf(at(event, "series", "lastObservedTime")) || textOf(event["lastTimestamp"]);
  return last === "" ? firstSeen(event) : ago(last);
}

function target(event: KubeObject): string {
  const kind = textOf(at(event, "involvedObject", "kind")).toLowerCase();
  const name = textOf(at(event, "involvedObject", "name"));
  return name === "" ? kind : `${kind}/${name}`;
}

function source(event: KubeObject): string {
  const component = textOf(at(event, "source", "component")) || textOf(event["reportingComponent"]);
  const instance = textOf(at(event, "source", "host")) || textOf(event["reportingInstance"]);
  return instance === "" ? component : `${component}, ${instance}`;
}

/** The columns of Events: their name comes last. */
export const eventColumns: readonly TableColumn[] = [
  text("Last Seen", ofEvent(lastSeen)),
  text("Type", (event) => textOf(event["type"])),
  text("Reason", (event) => textOf(event["reason"])),
  text("Object", ofEvent(target)),
  text(
    "Subobject",
    ofEvent((event) => textOf(at(event, "involvedObject", "fieldPath"))),
    1,
  ),
  text("Source", ofEvent(source), 1),
  text(
    "Message",
    ofEvent((event) => textOf(event["message"]).trim()),
  ),
  text("First Seen", ofEvent(firstSeen), 1),
  text(
    "Count",
    ofEvent((event) => Number(at(event, "series", "count") ?? event["count"] ?? 0) || 1),
    1,
  ),
  { ...text("Name", (event) => event.metadata.name, 1), format: "name" },
];
