import { sha256 } from "../../shared/digest.ts";
import { chartFields } from "./index-yaml.ts";
import type { Published } from "./published.ts";

/** A blob or manifest with how it is named. */
export interface Addressed {
  readonly mediaType: string;
  readonly digest: string;
  readonly text: string;
}

const MANIFEST = "application/vnd.oci.image.manifest.v1+json";
const CONFIG = "application/vnd.cncf.helm.config.v1+json";
const CONTENT = "application/vnd.cncf.helm.chart.content.v1.tar+gzip";

/** The chart's metadata, which `helm push` puts into the config of a manifest. */
export function configOf({ object }: Published): Addressed {
  return addressed(CONFIG, chartFields(object));
}

/** The manifest that `helm push` would have made of a version; the same version gives the same bytes. */
export function manifestOf(published: Published, packageBytes: number): Addressed {
  const { name, version, digest, object } = published;
  const config = configOf(published);
  const { description, created = object.metadata.creationTimestamp } = object.spec;
  return addressed(MANIFEST, {
    schemaVersion: 2,
    mediaType: MANIFEST,
    config: { mediaType: CONFIG, digest: config.digest, size: Buffer.byteLength(config.text) },
    layers: [{ mediaType: CONTENT, digest, size: packageBytes }],
    annotations: {
      "org.opencontainers.image.title": name,
      "org.opencontainers.image.version": version,
      ...(description ? { "org.opencontainers.image.description": description } : {}),
      ...(created ? { "org.opencontainers.image.created": created } : {}),
    },
  });
}

function addressed(mediaType: string, value: object): Addressed {
  const text = JSON.stringify(value);
  return { mediaType, digest: sha256(text), text };
}
