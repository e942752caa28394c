import { createHmac } from "node:crypto";
import type { Receiver } from "../../../shared/resources/receiver.ts";

/** What a producer sends. */
export interface Sent {
  readonly body: Buffer;
  readonly headers: Readonly<Record<string, string>>;
  /** Goes into the address. */
  readonly query?: string;
}

/** How a delivery differs from the ordinary one. */
export interface Making {
  /** Where the payload says that it happened. */
  readonly place: string;
  readonly version: string;
  /** What the producer was told to prove itself with. */
  readonly secret: string;
  readonly at: Date;
}

/** One kind of delivery of one producer, made as its documentation describes it. */
export interface Sample {
  readonly title: string;
  readonly receiver: Omit<Receiver, "name" | "secretRef">;
  /** Key of the Secret that the sender's secret stands under; "": the proof is no secret of the receiver. */
  readonly key: "token" | "signingKey" | "";
  readonly secret: string;
  readonly url: string;
  readonly place: string;
  /** A place that is not the repository's; "": the payload names none. */
  readonly elsewhere: string;
  readonly expected: Readonly<Record<string, unknown>>;
  /** Whether a changed body is noticed; a static token is about the sender only. */
  readonly signs: boolean;
  /** Whether an old delivery is noticed by the time that it was signed with. */
  readonly dated: boolean;
  /** Whether the payload tells a repeat from another push of the same. */
  readonly identified: boolean;
  make(making: Making): Sent;
}

/** The body of a JSON payload. */
export function jsonBody(value: object): Buffer {
  return Buffer.from(JSON.stringify(value));
}

/** Hex HMAC of a body. */
export function hexHmac(algorithm: "sha1" | "sha256", key: string, body: Buffer): string {
  return createHmac(algorithm, key).update(body).digest("hex");
}

/** A place taken apart: host, and the path behind it. */
export function partsOf(place: string): { readonly host: string; readonly path: string } {
  const slash = place.indexOf("/");
  return { host: place.slice(0, slash), path: place.slice(slash + 1) };
}

export const TOKEN = "correct horse battery staple";
export const DIGEST = `sha256:${"ab".repeat(32)}`;
