import { startKubernetesApi } from "../../../knative/local/api/kubernetes-api.ts";
import { connectNats } from "../../../shared/adapters/nats-connection.ts";
import { silent } from "../../support/nats.ts";
import type { ApiChildOptions, ApiChildReady } from "./api-process.ts";

/** A laptop API alone in its process: told how to start by its argument, it tells its parent where it listens. */
const { natsUrl, port, storage }: ApiChildOptions = JSON.parse(process.argv[2] ?? "{}");
const nats = await connectNats({ url: natsUrl, name: "api-child", noEcho: true }, { log: silent });
const api = await startKubernetesApi({ nats, port, storage });
const ready: ApiChildReady = { url: api.url, token: api.adminToken, ca: api.certificate };
process.send?.(ready);
process.on("message", () => process.send?.({ rss: process.memoryUsage.rss() }));
process.on("disconnect", () => process.exit());
