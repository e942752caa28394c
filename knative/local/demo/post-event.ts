import { randomUUID } from "node:crypto";
import type { Announcement } from "../../../shared/event.ts";

/** Sends a CloudEvent to the Broker's ingress as any HTTP client would; returns its id. */
export async function postEvent(ingressUrl: string, { type, subject, data }: Announcement): Promise<string> {
  const id = randomUUID();
  const headers = {
    "content-type": "application/json",
    "ce-specversion": "1.0",
    "ce-id": id,
    "ce-source": "/demo",
    "ce-type": type,
    "ce-subject": subject,
    "ce-time": new Date().toISOString(),
  };
  const answer = await fetch(ingressUrl, { method: "POST", headers, body: JSON.stringify(data) });
  if (answer.status !== 202) throw new Error(`the Broker answered ${answer.status}: ${await answer.text()}`);
  return id;
}
