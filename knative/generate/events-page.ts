import * as z from "zod";
import type { HttpFunction } from "../../shared/http-function.ts";
import type { FunctionIdentity } from "../../shared/run.ts";
import type { JsonSchema } from "../../shared/structural.ts";
import { type EventNode, eventGraph, outsideOf } from "./event-graph.ts";
import { fence, table } from "./markdown.ts";
import { fieldsOf } from "./schema-text.ts";

/** The catalogue of events as a Markdown page: the diagram of all chains, then every type with its data. */
export function eventsPage(functions: readonly FunctionIdentity[], httpFunctions: readonly HttpFunction[]): string {
  const nodes = eventGraph(functions, httpFunctions);
  return [
    "# Events",
    "Every function handles one event type and announces others. Types start with `io.openpitrix.`.",
    fence("mermaid", diagram(nodes)),
    "## Functions",
    table(
      ["function", "what it does", "handles", "announces", "time limit"],
      functions.map(({ name, function: { summary, on, emits, timeoutMs } }) => [
        `\`${name}\``,
        summary,
        link(on.type),
        emits.map(({ type }) => link(type)).join(" "),
        `${timeoutMs / 1000} s`,
      ]),
    ),
    "## HTTP functions",
    "They answer requests and begin chains; what has to be written, the functions above write.",
    table(
      ["function", "what it does", "reached by", "announces", "body at most", "time limit"],
      httpFunctions.map(({ name, summary, visibility, emits, maxBodyBytes, timeoutMs }) => [
        `\`${name}\``,
        summary,
        visibility === "public" ? "everybody" : "the cluster",
        emits.map(({ type }) => link(type)).join(" "),
        `${maxBodyBytes / 1024} KiB`,
        `${timeoutMs / 1000} s`,
      ]),
    ),
    "## Types",
    ...nodes.map(section),
  ].join("\n\n");
}

/** Mermaid: functions as boxes, sources and people as rounded boxes, facts that nobody handles as ovals. */
function diagram(nodes: readonly EventNode[]): string {
  return ["flowchart LR", ...new Set(nodes.flatMap(edges))].join("\n  ");
}

function edges(node: EventNode): readonly string[] {
  const label = short(node.definition.type);
  const senders = node.from.length > 0 ? node.from : [];
  const outside = node.definition.origin || node.from.length === 0 ? [outsideOf(node)] : [];
  const receivers =
    node.to.length > 0 ? node.to.map((name) => name) : [`fact-${label.replaceAll(".", "-")}(["${label}"])`];
  const froms = [...senders, ...outside.map((name) => `${name.replaceAll(/[^A-Za-z0-9]+/g, "-")}("${name}")`)];
  const arrow = node.to.length > 0 ? `-- "${label}" -->` : "-.->";
  return froms.flatMap((from) => receivers.map((to) => `${from} ${arrow} ${to}`));
}

function section(node: EventNode): string {
  const { definition, from, to } = node;
  const senders = from.map((name) => `\`${name}\``);
  const outside = definition.origin || from.length === 0 ? [outsideOf(node)] : [];
  const receivers =
    to.length > 0 ? to.map((name) => `\`${name}\``).join(", ") : "whoever listens (a fact, no function of ours)";
  return [
    `### ${short(definition.type)}`,
    `${definition.summary}`,
    `From ${[...senders, ...outside].join(", ")}, to ${receivers}.`,
    dataTable(definition.data),
    fence("json", JSON.stringify(definition.example, null, 2)),
  ].join("\n\n");
}

function dataTable(data: z.ZodType): string {
  const schema = z.toJSONSchema(data, { target: "openapi-3.0", io: "input" }) as JsonSchema;
  const rows = fieldsOf(schema).map(({ name, type, required, meaning }) => [`\`${name}\``, type, required, meaning]);
  return rows.length === 0 ? "No data." : table(["data", "type", "required", "meaning"], rows);
}

function short(type: string): string {
  return type.replace(/^io\.openpitrix\./, "");
}

function link(type: string): string {
  return `[${short(type)}](#${short(type).replaceAll(".", "")})`;
}
