/** An OCI reference `host/path[:tag][@digest]` taken apart. */
export interface Reference {
  readonly address: string;
  readonly tag?: string;
  readonly digest?: string;
}

/** Takes a reference apart; a port is no tag. */
export function referenceOf(text: string): Reference {
  const [name = "", digest] = text.split("@", 2);
  const colon = name.lastIndexOf(":");
  const tagged = colon > name.lastIndexOf("/");
  const tag = tagged ? name.slice(colon + 1) : "";
  return {
    address: tagged ? name.slice(0, colon) : name,
    ...(tag === "" ? {} : { tag }),
    ...(digest === undefined ? {} : { digest }),
  };
}

/** Chart and version of a package's file name, e.g. `my-app-2-1.0.0-rc.1.tgz`. */
export function packageOf(file: string): { readonly chart: string; readonly version: string } | undefined {
  const [, chart, version] = /^([^/]+?)-(v?\d+\.\d+\.\d+[^/]*)\.tgz$/.exec(file.split("/").at(-1) ?? "") ?? [];
  return chart && version ? { chart, version } : undefined;
}
