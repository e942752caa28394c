import { child, invalid, required } from "./field-errors.ts";
import { at, isObject, type Json, type JsonObject, listOf, objectOf, textOf } from "./json.ts";
import { structuralErrors } from "./structural-checks.ts";
import type { FieldError } from "./validate.ts";

/** Under which names errors appear: the schema's own, and that of the version's other parts. */
export interface PartPaths {
  readonly schema: string;
  readonly parts: string;
}

/** What is wrong with a version's schema, columns, subresources and selectable fields. */
export function versionPartErrors(version: Json, paths: PartPaths): readonly FieldError[] {
  const schema = objectOf(at(version, "schema", "openAPIV3Schema"));
  const declared = isObject(at(version, "schema", "openAPIV3Schema"));
  return [
    ...(declared ? structuralErrors(schema, child(paths.schema, "openAPIV3Schema")) : []),
    ...columnErrors(at(version, "additionalPrinterColumns"), child(paths.parts, "additionalPrinterColumns")),
    ...scaleErrors(at(version, "subresources", "scale"), child(paths.parts, "subresources.scale")),
    ...selectableErrors(at(version, "selectableFields"), schema, child(paths.parts, "selectableFields")),
  ];
}

const COLUMN_TYPES = ["boolean", "date", "integer", "number", "string"];
const COLUMN_FORMATS = ["int32", "int64", "float", "double", "byte", "date", "date-time", "password"];

function columnErrors(columns: Json | undefined, path: string): readonly FieldError[] {
  return listOf(columns).flatMap((column, index) => {
    const spot = `${path}[${index}]`;
    return [...namedErrors(column, spot), ...pathErrors(textOf(at(column, "jsonPath")), child(spot, "JSONPath"))];
  });
}

function namedErrors(column: Json, path: string): readonly FieldError[] {
  const [name, type, format] = ["name", "type", "format"].map((key) => textOf(at(column, key)));
  const wrongType = type !== undefined && type !== "" && !COLUMN_TYPES.includes(type);
  const wrongFormat = format !== undefined && format !== "" && !COLUMN_FORMATS.includes(format);
  return [
    ...(name === "" ? [required(child(path, "name"))] : []),
    ...(type === "" ? [required(child(path, "type"), `must be one of ${COLUMN_TYPES.join(",")}`)] : []),
    ...(wrongType ? [invalid(child(path, "type"), type, `must be one of ${COLUMN_TYPES.join(",")}`)] : []),
    ...(wrongFormat ? [invalid(child(path, "format"), format, `must be one of ${COLUMN_FORMATS.join(",")}`)] : []),
  ];
}

function pathErrors(path: string, field: string): readonly FieldError[] {
  if (path === "") return [required(field)];
  return path.startsWith(".") ? [] : [invalid(field, path, "must be a simple json path starting with .")];
}

function scaleErrors(scale: Json | undefined, path: string): readonly FieldError[] {
  if (!isObject(scale)) return [];
  const selector = textOf(scale["labelSelectorPath"]);
  return [
    ...underErrors(textOf(scale["specReplicasPath"]), [".spec"], child(path, "specReplicasPath")),
    ...underErrors(textOf(scale["statusReplicasPath"]), [".status"], child(path, "statusReplicasPath")),
    ...(selector === "" ? [] : underErrors(selector, [".spec", ".status"], child(path, "labelSelectorPath"))),
  ];
}

function underErrors(path: string, roots: readonly string[], field: string): readonly FieldError[] {
  const shape = pathErrors(path, field);
  if (shape.length > 0 || roots.some((root) => path.startsWith(`${root}.`))) return shape;
  return [invalid(field, path, `should be a json path under ${roots.join(" or ")}`)];
}

const SELECTABLE = ["string", "boolean", "integer"];
const SELECTABLE_TEXT =
  "must point to a field of type string, boolean or integer. Enum string fields and strings with formats are allowed.";

function selectableErrors(fields: Json | undefined, schema: JsonObject, path: string): readonly FieldError[] {
  return listOf(fields).flatMap((field, index) => {
    const text = textOf(at(field, "jsonPath"));
    const place = child(`${path}[${index}]`, "jsonPath");
    if (text === "") return [required(place)];
    const target = nodeAt(schema, text.split(".").slice(1));
    if (target === undefined) return [invalid(place, text, "is an invalid path: does not refer to a valid field")];
    return SELECTABLE.includes(textOf(target["type"])) ? [] : [invalid(place, text, SELECTABLE_TEXT)];
  });
}

function nodeAt(schema: JsonObject, steps: readonly string[]): JsonObject | undefined {
  const [step, ...rest] = steps;
  if (step === undefined) return schema;
  const property = at(schema, "properties", step);
  return isObject(property) ? nodeAt(property, rest) : undefined;
}
