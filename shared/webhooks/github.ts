import * as z from "zod";
import { sha256 } from "../digest.ts";
import { type Delivery, jsonOf, type Producer, payload, type Told } from "./delivery.ts";
import { packageOf, referenceOf } from "./references.ts";
import { signatureProof, tokensOf } from "./tokens.ts";

const Package = z.object({
  name: z.string(),
  package_type: z.string(),
  package_version: z
    .object({
      package_url: z.string().optional(),
      container_metadata: z
        .object({
          tag: z.object({ name: z.string().optional(), digest: z.string().optional() }).optional(),
          manifest: z.object({ config: z.object({ media_type: z.string().optional() }).optional() }).optional(),
        })
        .nullish(),
    })
    .nullish(),
});

const PackageEvent = z.object({
  action: z.string(),
  package: Package.optional(),
  registry_package: Package.optional(),
});

const Repository = z.object({ html_url: z.string().optional(), clone_url: z.string() });

const ReleaseEvent = z.object({
  action: z.string(),
  release: z.object({ assets: z.array(z.object({ name: z.string() })) }),
  repository: Repository,
});

const PushEvent = z.object({
  ref: z.string(),
  deleted: z.boolean().optional(),
  repository: Repository,
});

/** GitHub: packages (as a repository's and as an app's hook), releases with packages attached, pushes. */
export const github: Producer = {
  title: "GitHub",
  proves: "HMAC-SHA256 of the body with token (X-Hub-Signature-256)",
  register: "Settings → Webhooks: content type application/json, Secret = token, events Packages, Releases, Pushes",
  proof: (delivery) => signatureProof("github", delivery.headers["x-hub-signature-256"], tokensOf(delivery)),
  read(delivery) {
    switch (delivery.headers["x-github-event"]) {
      case "package":
      case "registry_package":
        return packagePushed(delivery);
      case "release":
        return released(delivery);
      case "push":
        return pushed(delivery);
      default:
        return [{ ignored: "no push" }];
    }
  },
};

function packagePushed(delivery: Delivery): readonly Told[] {
  const { action, ...event } = payload(PackageEvent, delivery, jsonOf(delivery));
  const pushed = event.package ?? event.registry_package;
  if (!pushed || !["published", "updated"].includes(action)) return [{ ignored: "no push" }];
  if (!["container", "docker"].includes(pushed.package_type.toLowerCase())) return [{ ignored: "no chart" }];
  const { package_url = "", container_metadata } = pushed.package_version ?? {};
  const { name, digest } = container_metadata?.tag ?? {};
  // Ends with a bare colon where there is no tag, as for attestations.
  const { address, tag = name ?? "" } = referenceOf(package_url);
  if (tag === "" || address === "") return [{ ignored: "no tag" }];
  const mediaType = container_metadata?.manifest?.config?.media_type;
  return [
    {
      action: "pushed",
      certainty: mediaType === undefined ? "maybe" : "chart",
      addresses: [address],
      version: tag,
      digest,
      mediaType,
      occurrence: sha256(delivery.body),
    },
  ];
}

const RELEASED: Readonly<Record<string, "pushed" | "deleted">> = {
  published: "pushed",
  edited: "pushed",
  deleted: "deleted",
  unpublished: "deleted",
};

/** Packages hang on releases and the index follows by a push to the pages, so a release is a hint of its charts. */
function released(delivery: Delivery): readonly Told[] {
  const { action, release, repository } = payload(ReleaseEvent, delivery, jsonOf(delivery));
  const meaning = RELEASED[action];
  if (!meaning) return [{ ignored: "no push" }];
  const packages = release.assets.flatMap(({ name }) => packageOf(name) ?? []);
  if (packages.length === 0) return [{ ignored: "no chart" }];
  const addresses = [repository.clone_url];
  return packages.map((each) => ({
    action: meaning,
    certainty: "chart",
    addresses,
    ...each,
    occurrence: `${sha256(delivery.body)} ${each.chart} ${each.version}`,
  }));
}

function pushed(delivery: Delivery): readonly Told[] {
  const { repository } = payload(PushEvent, delivery, jsonOf(delivery));
  const occurrence = sha256(delivery.body);
  return [{ action: "changed", certainty: "git", addresses: [repository.clone_url], occurrence }];
}
