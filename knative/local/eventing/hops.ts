import type { Event } from "../../../shared/event.ts";

/** The extension in which Knative counts how often a reply may still pass a Broker. */
const HOPS = "knativebrokerttl";

/** Where counting starts. */
const MAX_HOPS = 255;

/** The event as subscribers see it: the count is the Broker's own affair. */
export function withoutHops(event: Event): Event {
  if (event.extensions?.[HOPS] === undefined) return event;
  const { [HOPS]: _, ...extensions } = event.extensions;
  return { ...event, extensions };
}

/** A reply to `event` with one hop less; `undefined` where none is left, so that replies to replies come to an end. */
export function replyWithHops(event: Event, reply: Event): Event | undefined {
  const left = Number(event.extensions?.[HOPS] ?? MAX_HOPS) - 1;
  // What is no number counts as used up, as with Knative.
  if (!(left > 0)) return undefined;
  return { ...reply, extensions: { ...reply.extensions, [HOPS]: left } };
}
