import { expect, test } from "vitest";
import { refusal } from "./refusal.ts";

const hint = "see opx app list";

test.each([
  [400, "no &lt;b&gt; &amp; &#34;c&#34;\n", 'no <b> & "c"; see opx app list'],
  [404, "gone\u001b[31m\n", "gone [31m; see opx app list"],
  [409, "somebody was faster\n", "somebody was faster; try again"],
  [502, "<html><h1>Bad Gateway</h1></html>", "the store answered 502; try again"],
  [308, "", "the store answered 308; the address has changed: give the new one with --server"],
  [500, "x".repeat(5_000), `${"x".repeat(2_000)}; see opx app list`],
])("%i is told in the store's words, with what to do next", (status, text, message) => {
  expect(refusal({ status, text, hint }).message).toBe(message);
});
