import fc from "fast-check";
import { expect, test } from "vitest";
import {
  formatOciReference,
  isOciRepository,
  parseOciReference,
  steadyUrl,
  tagOfVersion,
  versionOfTag,
} from "./oci-reference.ts";

const DIGEST = `sha256:${"a1".repeat(32)}`;

test.each([
  ["oci://ghcr.io/org/charts", { host: "ghcr.io", repository: "org/charts" }],
  ["oci://GHCR.io:443/org/charts/", { host: "ghcr.io", repository: "org/charts" }],
  ["OCI://registry.example.org", { host: "registry.example.org", repository: "" }],
  ["oci://127.0.0.1:5000/", { host: "127.0.0.1:5000", repository: "" }],
  ["oci://[::1]:5000/web:1.0.0_a", { host: "[::1]:5000", repository: "web", tag: "1.0.0_a" }],
  [`oci://h/web@${DIGEST}`, { host: "h", repository: "web", digest: DIGEST }],
  [`oci://h/a__b/c.d-e:v1@${DIGEST}`, { host: "h", repository: "a__b/c.d-e", tag: "v1", digest: DIGEST }],
])("%s is read", (text, reference) => {
  expect(parseOciReference(text)).toEqual({ ok: true, reference });
});

test.each([
  ["https://ghcr.io/org", "no address of the form oci://host/path"],
  ["oci://", "no address of the form"],
  ["oci:///charts", "no address of the form"],
  [`oci://h/${"a".repeat(2048)}`, "no address of the form"],
  ["oci://ann:pa55@h/charts", "carries credentials"],
  ["oci://h/Charts", "no name of an OCI repository"],
  ["oci://h/a/../b", "no name of an OCI repository"],
  ["oci://h/a//b", "no name of an OCI repository"],
  [`oci://h/${"a/".repeat(200)}a`, "no name of an OCI repository"],
  ["oci://h/web:", "no OCI tag"],
  ["oci://h/web:-x", "no OCI tag"],
  ["oci://h/web@sha256:12", "its digest is no sha256"],
  [`oci://h/web@sha512:${"a".repeat(128)}`, "its digest is no sha256"],
  ["oci://h/web?x=1", "no address of the form"],
])("%s is refused", (text, message) => {
  const read = parseOciReference(text);
  expect(read).toMatchObject({ ok: false, message: expect.stringContaining(message) });
  expect(JSON.stringify(read)).not.toContain("pa55");
});

const name = fc.stringMatching(/^[a-z0-9]{1,8}([._-][a-z0-9]{1,8})?(\/[a-z0-9]{1,8})?$/);
const tag = fc.option(fc.stringMatching(/^\w[\w.-]{0,20}$/), { nil: undefined });

test("what is written is read again as the same", () => {
  fc.assert(
    fc.property(name, tag, fc.boolean(), (repository, tag, pinned) => {
      const reference = {
        host: "h:5000",
        repository,
        ...(tag === undefined ? {} : { tag }),
        ...(pinned ? { digest: DIGEST } : {}),
      };
      expect(isOciRepository(repository)).toBe(true);
      expect(parseOciReference(formatOciReference(reference))).toEqual({ ok: true, reference });
    }),
  );
});

test("a tag is a version with _ for +, as Helm writes it", () => {
  expect(tagOfVersion("1.0.0-rc.1+build.7")).toBe("1.0.0-rc.1_build.7");
  expect(versionOfTag("1.0.0-rc.1_build.7")).toBe("1.0.0-rc.1+build.7");
});

test("a version in a registry is fetched by digest, every other one from its first address", () => {
  const [byTag, byDigest] = ["oci://h/store/web:1.0.0", `oci://h/store/web@${DIGEST}`];
  expect(steadyUrl([byTag, byDigest])).toBe(byDigest);
  expect(steadyUrl([byTag])).toBe(byTag);
  expect(steadyUrl([])).toBeUndefined();
  for (const other of [
    `oci://x/store/web@${DIGEST}`,
    `oci://h/store/db@${DIGEST}`,
    "oci://h/store/web:2",
    "https://h/w",
  ]) {
    expect(steadyUrl([byTag, other])).toBe(byTag);
  }
  expect(steadyUrl(["https://h/web.tgz", byDigest])).toBe("https://h/web.tgz");
});
