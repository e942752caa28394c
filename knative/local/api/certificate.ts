import { generate } from "selfsigned";

/** The key and certificate the server shows; clients are given the certificate to trust. */
export interface Certificate {
  readonly key: string;
  readonly certificate: string;
}

const years = 10;

/**
 * Makes a self-signed certificate for local addresses. kubectl and helm send a token over TLS only, so even a
 * server on the loopback interface needs one.
 */
export async function makeCertificate(host: string): Promise<Certificate> {
  const expires = new Date();
  expires.setFullYear(expires.getFullYear() + years);
  const names = [
    "localhost",
    "kubernetes",
    "kubernetes.default",
    "kubernetes.default.svc",
    "kubernetes.default.svc.cluster.local",
  ];
  const addresses = [...new Set(["127.0.0.1", "::1", "10.96.0.1", ...(isAddress(host) ? [host] : [])])];
  const made = await generate([{ name: "commonName", value: "openpitrix local kubernetes" }], {
    keyType: "ec",
    curve: "P-256",
    algorithm: "sha256",
    notAfterDate: expires,
    extensions: [
      { name: "basicConstraints", cA: true, critical: true },
      { name: "keyUsage", digitalSignature: true, keyCertSign: true, critical: true },
      { name: "extKeyUsage", serverAuth: true },
      {
        name: "subjectAltName",
        altNames: [
          ...names.map((value) => ({ type: 2 as const, value })),
          ...addresses.map((ip) => ({ type: 7 as const, ip })),
        ],
      },
    ],
  });
  return { key: made.private, certificate: made.cert };
}

function isAddress(host: string): boolean {
  return (/^[\d.]+$/u.test(host) || host.includes(":")) && host !== "0.0.0.0" && host !== "::";
}
