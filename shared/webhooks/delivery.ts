import type * as z from "zod";
import { Failure } from "../errors.ts";
import type { Receiver } from "../resources/receiver.ts";
import type { Proof } from "./proof.ts";

/** One webhook as it came in, with the receiver that its address names. */
export interface Delivery {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Uint8Array;
  readonly repo: string;
  readonly receiver: Receiver;
  /** What the receiver's Secret holds, by key. */
  readonly secrets: Readonly<Record<string, string>>;
  /** `token` of the address, for producers that can do no better. */
  readonly addressToken: string;
}

/** One thing that a payload says has happened: a hint that may lead to a look at a configured repository, no more. */
export interface Hint {
  readonly action: "pushed" | "deleted" | "changed";
  readonly certainty: "chart" | "maybe" | "git";
  /** Addresses (host/path) by which the payload names the place, any of which will do; none: it names no place. */
  readonly addresses?: readonly string[] | undefined;
  /** Name of the repository by which a repository manager calls it: a segment of its address. */
  readonly repositoryName?: string | undefined;
  /** Absent: what follows the repository's address in the payload's. */
  readonly chart?: string | undefined;
  readonly version?: string | undefined;
  readonly digest?: string | undefined;
  /** Media type of the manifest's config, where the payload tells. */
  readonly mediaType?: string | undefined;
  /** The same occurrence told again has the same; absent: every delivery counts as one of its own. */
  readonly occurrence?: string | undefined;
}

/** What a payload holds that is of no interest, and why. */
export interface Ignored {
  readonly ignored: string;
}

/** What a payload tells. */
export type Told = Hint | Ignored;

/** How one type of producer proves itself and what its payloads mean. */
export interface Producer {
  /** What people call it. */
  readonly title: string;
  /** How it proves itself, for the documentation. */
  readonly proves: string;
  /** What to enter at the producer, for the documentation. */
  readonly register: string;
  /** What the delivery brings along to be checked; `undefined`: nothing, or the receiver has nothing to check it with. */
  proof(delivery: Delivery): Proof | undefined;
  /** What the payload says; fails with `Invalid` where it is none of this producer. */
  read(delivery: Delivery): readonly Told[];
  /** The confirmation that a payload asks for before others follow. */
  confirmation?(delivery: Delivery): string | undefined;
}

/** The body as JSON; fails with `Invalid`. */
export function jsonOf({ body, receiver }: Pick<Delivery, "body" | "receiver">): unknown {
  try {
    return JSON.parse(Buffer.from(body).toString("utf8"));
  } catch {
    throw new Failure("Invalid", `the body is no JSON; let ${receiver.type} send its own JSON payload, no template`);
  }
}

/** A payload by its schema; fails with `Invalid`, naming what is wrong where. */
export function payload<S extends z.ZodType>(schema: S, delivery: Delivery, json = jsonOf(delivery)): z.output<S> {
  const parsed = schema.safeParse(json);
  if (parsed.success) return parsed.data;
  const issue = parsed.error.issues[0];
  const where = issue?.path.join(".") || "the body";
  throw new Failure("Invalid", `this is no payload of ${delivery.receiver.type}: ${where}: ${issue?.message}`);
}
