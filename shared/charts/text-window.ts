/** A text in UTF-8 as it arrives: bytes are added at its end, and taken from its start once they are read. */
export interface TextWindow {
  /** The bytes at hand; valid until the next call of `more` or `take`. */
  bytes(): Buffer;
  /** Waits for more bytes; false once there are none. The last line gets a line end where it lacks one. */
  more(): Promise<boolean>;
  /** Drops so many bytes from the start. */
  take(count: number): void;
  /** What is known of the whole text once `more` says false. */
  summary(): TextSummary;
}

/** A whole text in numbers. */
export interface TextSummary {
  readonly bytes: number;
  /** Whether the text itself ends with a line end. */
  readonly endsWithNewline: boolean;
}

const FIRST_BYTES = 256 * 1024;
const NEWLINE = Buffer.from("\n");

/** Opens a window on chunks; `refuse` is called with the length so far and may throw. */
export function openTextWindow(chunks: AsyncIterable<Uint8Array>, refuse: (bytes: number) => void): TextWindow {
  const source = chunks[Symbol.asyncIterator]();
  const room = openRoom();
  let [length, last, ended] = [0, 0x0a, false];
  return {
    bytes: room.bytes,
    take: room.take,
    async more() {
      if (ended) return false;
      const { done, value } = await source.next();
      if (done) {
        ended = true;
        if (last !== 0x0a) room.append(NEWLINE);
        return last !== 0x0a;
      }
      length += value.length;
      refuse(length);
      last = value.at(-1) ?? last;
      room.append(value);
      return true;
    },
    summary: () => ({ bytes: length, endsWithNewline: last === 0x0a }),
  };
}

/** A buffer that grows no further than what was not taken yet. */
function openRoom() {
  let buffer = Buffer.allocUnsafeSlow(FIRST_BYTES);
  let view = buffer.subarray(0, 0);
  return {
    bytes: () => view,
    take(count: number) {
      view = view.subarray(count);
    },
    append(chunk: Uint8Array) {
      const start = view.byteOffset - buffer.byteOffset;
      const needed = view.length + chunk.length;
      if (start + needed <= buffer.length) {
        buffer.set(chunk, start + view.length);
        view = buffer.subarray(start, start + needed);
        return;
      }
      const larger = needed > buffer.length / 2 ? Buffer.allocUnsafeSlow(2 * needed) : buffer;
      view.copy(larger);
      larger.set(chunk, view.length);
      buffer = larger;
      view = buffer.subarray(0, needed);
    },
  };
}
