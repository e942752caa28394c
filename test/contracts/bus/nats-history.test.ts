import { expect, it } from "vitest";
import { createNatsHistory } from "../../../shared/adapters/nats-history.ts";
import { startNats } from "../../support/nats.ts";

const record = (object: string, key: string, data: unknown) => ({ group: "app-1", object, key, data });

it("keeps each record once, in order, and gives back an object's or a whole group's", async () => {
  await using nats = await startNats();
  const history = createNatsHistory(await nats.connect(), { storage: "memory" });
  expect(await history.read("app-1")).toEqual([]);
  await history.append(record("appv-1.0", "1", { n: 1 }));
  await Promise.all([
    history.append(record("appv-1.0", "2", { n: 2 })),
    history.append(record("appv-1.0", "2", { n: 2 })),
  ]);
  await history.append(record("appv-1.0", "1", { n: "forged" }));
  await history.append(record("appv-1", "1", { n: 3 }));
  await history.append({ ...record("appv-1.0", "1", { n: 4 }), group: "" });
  expect(await history.read("app-1", "appv-1.0")).toEqual([{ n: 1 }, { n: 2 }]);
  expect(await history.read("app-1")).toEqual([{ n: 1 }, { n: 2 }, { n: 3 }]);
  expect(await history.read("", "appv-1.0")).toEqual([{ n: 4 }]);
});

it("does not let a record be taken out again", async () => {
  await using nats = await startNats();
  const connection = await nats.connect();
  const history = createNatsHistory(connection);
  await history.append(record("appv-1", "1", { n: 1 }));
  const manager = await connection.jetstreamManager();
  await expect(manager.streams.deleteMessage("OPENPITRIX_HISTORY", 1)).rejects.toThrow("not permitted");
  expect(await history.read("app-1", "appv-1")).toEqual([{ n: 1 }]);
});

it("says that it is unavailable while the server is", async () => {
  await using nats = await startNats();
  const history = createNatsHistory(await nats.connect(), { timeoutMs: 300 });
  await history.append(record("appv-1", "1", {}));
  await nats.kill();
  await expect(history.read("app-1")).rejects.toMatchObject({ kind: "Unavailable" });
});
