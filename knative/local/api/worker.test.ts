import { expect, test } from "vitest";
import { startWorker } from "./worker.ts";

test("works items off one after another, and none is lost that comes in at the last moment", async () => {
  const done: string[] = [];
  let busy = 0;
  const { promise, resolve } = Promise.withResolvers<void>();
  const worker = startWorker(
    async (item) => {
      busy += 1;
      expect(busy).toBe(1);
      await Promise.resolve();
      busy -= 1;
      done.push(item);
      if (done.length < 200) queueMicrotask(() => worker.add(`item-${done.length}`));
      else resolve();
      return undefined;
    },
    () => {},
  );
  worker.add("first");
  await promise;
  await worker.stop();
  expect(done).toHaveLength(200);
});

test("retries what fails, and reports it when it keeps failing", async () => {
  const reported = Promise.withResolvers<string>();
  let tries = 0;
  const worker = startWorker(
    async () => {
      tries += 1;
      throw new Error("not yet");
    },
    (item, error) => reported.resolve(`${item}: ${(error as Error).message}`),
  );
  worker.add("stubborn");
  expect(await reported.promise).toBe("stubborn: not yet");
  await worker.stop();
  expect(tries).toBeGreaterThan(3);
});

test("looks again when a step asks for it", async () => {
  const { promise, resolve } = Promise.withResolvers<void>();
  let steps = 0;
  const worker = startWorker(
    async () => {
      steps += 1;
      if (steps < 3) return 1;
      resolve();
      return undefined;
    },
    () => {},
  );
  worker.add("again");
  await promise;
  await worker.stop();
  expect(steps).toBe(3);
});
