/** Maps with at most `limit` calls under way; results keep the order; the first failure wins after all running calls ended. */
export async function mapLimited<T, R>(
  items: readonly T[],
  limit: number,
  call: (item: T) => Promise<R>,
): Promise<readonly R[]> {
  // Most commits write nothing of one sort or another, and a pool for nothing shows in the events per second.
  if (items.length === 0) return [];
  const results = new Array<R>(items.length);
  const queue = items.entries();
  let failure: { readonly error: unknown } | undefined;
  const worker = async () => {
    for (const [index, item] of queue) {
      if (failure) return;
      try {
        results[index] = await call(item);
      } catch (error) {
        failure ??= { error };
      }
    }
  };
  await Promise.all(Array.from({ length: Math.min(limit, items.length) }, worker));
  if (failure) throw failure.error;
  return results;
}
