import * as z from "zod";
import { type Producer, payload, type Told } from "./delivery.ts";
import { tokenProof } from "./tokens.ts";

const RegistryEvent = z.object({
  id: z.string(),
  action: z.string(),
  target: z.object({
    mediaType: z.string().optional(),
    repository: z.string(),
    tag: z.string().optional(),
    digest: z.string().optional(),
    references: z.array(z.object({ mediaType: z.string() })).optional(),
  }),
  request: z.object({ host: z.string() }).optional(),
});
type RegistryEvent = z.output<typeof RegistryEvent>;

const Notification = z.object({ events: z.array(z.unknown()).max(10_000) });

const MANIFEST = /manifest/;
const HELM_CONFIG = "application/vnd.cncf.helm.config.v1+json";

/** The registry of the Distribution project. One notification holds many events, most of them of blobs. */
export const distribution: Producer = {
  title: "Distribution registry (registry:2, registry:3)",
  proves: "token in the header Authorization (or `header`)",
  register:
    "config.yml: notifications.endpoints with url and headers.Authorization: [Bearer <token>]; includereferences",
  proof: (delivery) => tokenProof(delivery),
  read(delivery) {
    return payload(Notification, delivery).events.map((event) => read(payload(RegistryEvent, delivery, event)));
  },
};

const Single = z.object({ action: z.string() });

/** Azure's registry: the same event, one at a time; `chart_push` and `chart_delete` are those of its old Helm API. */
export const acr: Producer = {
  title: "Azure Container Registry",
  proves: "token in a custom header: Authorization (or `header`)",
  register: "Registry → Webhooks: service URI, custom headers Authorization: Bearer <token>, actions push and delete",
  proof: (delivery) => tokenProof(delivery),
  read(delivery) {
    if (payload(Single, delivery).action === "ping") return [{ ignored: "no push" }];
    return [read(payload(RegistryEvent, delivery))];
  },
};

const ACTIONS: Readonly<Record<string, "pushed" | "deleted">> = {
  push: "pushed",
  delete: "deleted",
  chart_push: "pushed",
  chart_delete: "deleted",
};

function read({ id, action, target, request }: RegistryEvent): Told {
  const meaning = ACTIONS[action];
  if (!meaning) return { ignored: "no push" };
  const { mediaType = "", repository, tag = "", digest, references } = target;
  if (mediaType !== "" && !MANIFEST.test(mediaType)) return { ignored: "a blob" };
  if (meaning === "pushed" && tag === "") return { ignored: "no tag" };
  const config = references?.find((each) => each.mediaType.includes(".config."))?.mediaType;
  return {
    action: meaning,
    certainty: config === HELM_CONFIG ? "chart" : "maybe",
    ...(request === undefined ? {} : { addresses: [`${request.host}/${repository}`] }),
    ...(tag === "" ? {} : { version: tag }),
    digest,
    mediaType: config,
    occurrence: id,
  };
}
