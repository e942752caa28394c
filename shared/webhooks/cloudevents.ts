import * as z from "zod";
import { type Delivery, type Hint, jsonOf, type Producer, payload, type Told } from "./delivery.ts";
import { type PackageUrl, packageUrlOf } from "./purl.ts";
import { tokenProof } from "./tokens.ts";

const Envelope = z.object({ id: z.string(), source: z.string(), type: z.string(), data: z.unknown().optional() });

const Notice = z.object({
  action: z.enum(["pushed", "deleted", "changed"]).optional(),
  repository: z.string().max(1024).optional(),
  chart: z.string().max(512).optional(),
  version: z.string().max(256).optional(),
  digest: z.string().max(256).optional(),
});

/** Anything that can post a CloudEvent: a CI job after `helm push`, or an upload to a ChartMuseum. */
export const cloudevents: Producer = {
  title: "CloudEvents (a CI job, ChartMuseum)",
  proves: "token in the header Authorization (or `header`)",
  register: "POST a CloudEvent of any type with data {chart, version, digest, repository, action}, all optional",
  proof: (delivery) => tokenProof(delivery),
  read: (delivery) =>
    eventsOf(delivery).map(({ id, source, type, data = {} }): Told => {
      const { action, repository, ...named } = payload(Notice, delivery, data);
      const pushed = named.chart === undefined ? "changed" : "pushed";
      return {
        action: action ?? (/\.deleted\b/.test(type) ? "deleted" : pushed),
        certainty: named.chart === undefined ? "maybe" : "chart",
        ...(repository === undefined ? {} : { addresses: [repository] }),
        ...named,
        occurrence: `${source} ${id}`,
      };
    }),
};

const CdEvent = z.object({ subject: z.object({ id: z.string() }) });

const ARTIFACT = /^dev\.cdevents\.artifact\.(published|deleted)\./;

/** CDEvents of artifacts: the subject is a package URL. */
export const cdevents: Producer = {
  title: "CDEvents",
  proves: "token in the header Authorization (or `header`)",
  register: "artifact.published and artifact.deleted events as CloudEvents in any mode; the subject is a package URL",
  proof: (delivery) => tokenProof(delivery),
  read: (delivery) => eventsOf(delivery).map((event) => artifactEvent(event, delivery)),
};

function artifactEvent(event: z.output<typeof Envelope>, delivery: Delivery): Told {
  const [, happened] = ARTIFACT.exec(event.type) ?? [];
  if (happened === undefined) return { ignored: "no push" };
  const purl = packageUrlOf(payload(CdEvent, delivery, event.data).subject.id);
  if (!purl) return { ignored: "no package URL" };
  const { type, version, digest, address } = purl;
  if (version === undefined && type === "oci") return { ignored: "no tag" };
  return {
    action: happened === "deleted" ? "deleted" : "pushed",
    certainty: type === "helm" ? "chart" : "maybe",
    ...placeOf(purl, address),
    version,
    digest,
    occurrence: `${event.source} ${event.id}`,
  };
}

/** `repository_url` of an OCI artifact ends with its name or leaves it out; below it the chart follows from the address. */
function placeOf({ type, name }: PackageUrl, address: string | undefined): Pick<Hint, "addresses" | "chart"> {
  if (address === undefined) return { chart: name };
  if (type !== "oci") return { chart: name, addresses: [address] };
  return { addresses: [address.endsWith(`/${name}`) ? address : `${address}/${name}`] };
}

/** The events of a request in structured, batched or binary mode. */
function eventsOf(delivery: Delivery): readonly z.output<typeof Envelope>[] {
  const { headers } = delivery;
  const json = jsonOf(delivery);
  if (headers["ce-specversion"] === undefined) {
    return payload(z.array(Envelope), delivery, Array.isArray(json) ? json : [json]);
  }
  const { "ce-id": id, "ce-source": source, "ce-type": type } = headers;
  return [payload(Envelope, delivery, { id, source, type, data: json })];
}
