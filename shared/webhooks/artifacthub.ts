import * as z from "zod";
import { type Delivery, type Producer, payload } from "./delivery.ts";
import { tokenProof } from "./tokens.ts";

const Event = z.object({
  id: z.string(),
  type: z.string(),
  data: z.object({
    package: z.object({
      name: z.string(),
      version: z.string(),
      repository: z.object({ kind: z.string() }).optional(),
    }),
  }),
});

const RELEASED = "io.artifacthub.package.new-release";

/** Artifact Hub names no address of the repository, only its package: the receiver says which repository is meant. */
export const artifacthub: Producer = {
  title: "Artifact Hub",
  proves: "token in the header X-ArtifactHub-Secret",
  register: "Control Panel → Settings → Webhooks: URL, Secret = token, new releases, default payload, the packages",
  proof: (delivery) => tokenProof(delivery, "x-artifacthub-secret"),
  read(delivery) {
    const { id, type, data } = payload(Event, delivery, lenientJson(delivery));
    if (type !== RELEASED) return [{ ignored: "no push" }];
    const { name, version, repository } = data.package;
    if (repository !== undefined && repository.kind !== "helm") return [{ ignored: "no chart" }];
    return [{ action: "pushed", certainty: "chart", chart: name, version, occurrence: id }];
  },
};

/** Its default template does not escape the texts of a change log, so a quote in one breaks the JSON; the names are before it. */
function lenientJson({ body }: Delivery): unknown {
  const text = Buffer.from(body).toString("utf8");
  try {
    return JSON.parse(text);
  } catch {
    const field = (name: string, within: string) =>
      new RegExp(`"${name}"\\s*:\\s*"([^"\\\\]{1,512})"`).exec(within)?.[1];
    const described = text.slice(text.indexOf('"package"'));
    const [name, version] = [field("name", described), field("version", described)];
    return { id: field("id", text), type: field("type", text), data: { package: { name, version } } };
  }
}
