// The API reference: its script, a file of the build, and the addresses of its operations.
import { slug } from "github-slugger";
import type { Operation } from "../operation";

/**
 * The version of Scalar, which the build copies from its package (server/build/reference-script.ts). In the address, it
 * makes browsers load the file again after an update.
 */
export const REFERENCE_VERSION = "1.46.4";

/** The address of the reference's script. Files below it never change, so browsers may keep them. */
export const REFERENCE_SCRIPT = `/_next/static/reference/scalar-${REFERENCE_VERSION}.js`;

/** Returns the address of an operation in the reference. */
export function addressOfOperation({ tag, id }: Pick<Operation, "tag" | "id">): string {
  return `/docs/reference#tag/${slug(tag)}/${id}`;
}
