import { describe, expect, test } from "vitest";
import type { CommandResult } from "./helm-command.ts";
import {
  complaintOf,
  failureIn,
  isBusy,
  isMissing,
  isUnreachable,
  parseHistory,
  revisionIn,
  withoutValues,
} from "./helm-output.ts";

function ended(stderr: string, more: Partial<CommandResult> = {}): CommandResult {
  return { code: 1, stdout: "", stderr, timedOut: false, ...more };
}

describe("what Helm complains about", () => {
  test.each([
    [
      "Error: UPGRADE FAILED: execution error at (web/x.yaml:1:2): no color\n",
      "execution error at (web/x.yaml:1:2): no color",
    ],
    ["Error: INSTALLATION FAILED: chart requires kubeVersion\n", "chart requires kubeVersion"],
    ['level=WARN msg="upgrade failed" name=web\nError: UPGRADE FAILED: two\n  lines\n', "two lines"],
    ["WARNING: Kubernetes configuration file is group-readable.\nError: release: not found\n", "release: not found"],
    ["Error: uninstall: Release not loaded: web: release: not found\n", "Release not loaded: web: release: not found"],
    ["Error: failed to parse /private/values.yaml: bad\n", "failed to parse values.yaml: bad"],
    ["fork failed", "fork failed"],
    ["", "helm ended with code 1 and said nothing"],
  ])("%j is one sentence", (stderr, sentence) => {
    expect(complaintOf(ended(stderr), "/private")).toBe(sentence);
  });

  test.each([
    "another operation (install/upgrade/rollback) is in progress",
    "release: already exists",
    "cannot re-use a name that is still in use",
    "cannot reuse a name that is still in use",
  ])("%j means busy", (complaint) => {
    expect(isBusy(complaint)).toBe(true);
  });

  test("an object that exists already does not mean busy", () => {
    expect(isBusy('configmaps "web" already exists')).toBe(false);
    expect(isBusy('ConfigMap "web" in namespace "shop" exists and cannot be imported into the current release')).toBe(
      false,
    );
  });

  test("a release that is not there, and a cluster, are told by both versions", () => {
    expect(isMissing("release: not found")).toBe(true);
    expect(isMissing("uninstall: Release not loaded: web: release: not found")).toBe(true);
    expect(isMissing('namespaces "shop" not found')).toBe(false);
    expect(isUnreachable("Kubernetes cluster unreachable: dial tcp")).toBe(true);
    expect(isUnreachable("kubernetes cluster unreachable: dial tcp")).toBe(true);
    expect(isUnreachable('create: Post "https://10.0.0.1:443/api/v1": dial tcp: connection refused')).toBe(true);
    const webhook = 'failed calling webhook "x": Post "https://x.svc:443/check": dial tcp: connection refused';
    expect(isUnreachable(webhook)).toBe(false);
    expect(isUnreachable("execution error: dial 112")).toBe(false);
  });

  test("missing rights are Forbidden, everything else around a release is Unavailable", () => {
    const forbidden = 'query: failed: secrets is forbidden: User "x" cannot list resource "secrets"';
    expect(failureIn("look at release web", ended(""), forbidden).kind).toBe("Forbidden");
    expect(failureIn("look at release web", ended(""), "EOF").message).toBe("look at release web: EOF");
    const late = failureIn("uninstall release web", ended("", { timedOut: true }), "context canceled");
    expect(late.kind).toBe("Unavailable");
    expect(late.message).toContain("took too long");
  });
});

describe("values in messages", () => {
  const values = [
    "user: ann",
    "password: s3c",
    "auth: { basic: { name: bob } }",
    "note: a long sentence",
    "text: |",
    "  first line",
    "  second line",
    "pin: 12345678",
    "list: [eight-88]",
  ].join("\n");

  test.each([
    ["wrong s3c here", "wrong [value] here"],
    ["user bob", "user [value]"],
    ["ann may stay", "ann may stay"],
    ["got a long sentence.", "got [value]."],
    ["got first line second line.", "got [value]."],
    ['got "first line\\nsecond line"', 'got "[value]"'],
    ["got 12345678 and eight-88", "got [value] and [value]"],
  ])("%j becomes %j", (message, hidden) => {
    expect(withoutValues(message, values)).toBe(hidden);
  });

  test("are hidden also where only Helm can read them", () => {
    expect(withoutValues("cannot use hunter2-secret", "a: [\nkey: hunter2-secret\n")).toBe("cannot use [value]");
  });

  test("messages fit into a status", () => {
    expect(withoutValues("x ".repeat(5000), "")).toHaveLength(1024);
    expect(withoutValues("short", "")).toBe("short");
  });
});

describe("what Helm reports", () => {
  test("revisions come oldest first, whatever order they had", () => {
    const of = (revision: number) => ({ revision, status: "deployed", updated: "", description: "" });
    expect(parseHistory(JSON.stringify([of(2), of(1)])).map(({ revision }) => revision)).toEqual([1, 2]);
    expect(() => parseHistory("Error: no JSON")).toThrow("without readable JSON");
  });

  test("the revision stands before the notes", () => {
    expect(revisionIn("NAME: web\nREVISION: 12\nNOTES:\nREVISION: 99\n")).toBe(12);
    expect(revisionIn("nothing")).toBeUndefined();
  });
});
