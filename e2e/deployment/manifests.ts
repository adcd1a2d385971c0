// Reads the Kubernetes manifests, and checks them against Kubernetes' own types and schemas.
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import ts from "typescript";
import { parseAllDocuments } from "yaml";
import { PROJECT_ROOT } from "../support/service-process";
import { DEPLOYMENT } from "./compose";

export interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string };
  readonly spec: {
    readonly template: { readonly spec: { readonly containers: readonly Readonly<Record<string, unknown>>[] } };
  };
}

/** Every document in the manifests' folder, except the one that Kustomize reads. */
export function readManifests(): Manifest[] {
  const folder = join(DEPLOYMENT, "kubernetes");
  const files = readdirSync(folder).filter((name) => name.endsWith(".yaml") && name !== "kustomization.yaml");
  return files.flatMap((name) =>
    parseAllDocuments(readFileSync(join(folder, name), "utf8")).map((document) => document.toJS() as Manifest),
  );
}

interface Model {
  validate(): void;
}

const moduleOf = ({ apiVersion, kind }: Manifest) => `kubernetes-models/${apiVersion}/${kind}`;

/** Breaches of the schema: values outside their range or format, and missing members. */
async function schemaFaults(manifest: Manifest): Promise<string[]> {
  const models = (await import(moduleOf(manifest))) as Record<string, new (data: Manifest) => Model>;
  const Kind = models[manifest.kind];
  if (!Kind) return [`${manifest.kind} is not a kind of ${manifest.apiVersion}`];
  try {
    new Kind(manifest).validate();
    return [];
  } catch (error) {
    return [`${manifest.kind} ${manifest.metadata.name}: ${(error as Error).message}`];
  }
}

/** Breaches of the types, which unlike the schemas have no members that do not exist. */
function typeFaults(manifests: readonly Manifest[]): string[] {
  const text = manifests
    .map(
      (manifest, index) =>
        `import type { I${manifest.kind} as T${index} } from "${moduleOf(manifest)}";\n` +
        `export const m${index}: T${index} = ${JSON.stringify(manifest)};`,
    )
    .join("\n");
  const path = join(PROJECT_ROOT, "manifests.ts");
  const options: ts.CompilerOptions = {
    strict: true,
    noEmit: true,
    skipLibCheck: true,
    module: ts.ModuleKind.ESNext,
    moduleResolution: ts.ModuleResolutionKind.Bundler,
    types: [],
  };
  const host = ts.createCompilerHost(options);
  const readSource = host.getSourceFile.bind(host);
  host.getSourceFile = (name, version) =>
    name === path ? ts.createSourceFile(name, text, version) : readSource(name, version);
  const program = ts.createProgram([path], options, host);
  return ts.getPreEmitDiagnostics(program).map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "));
}

/** Everything by which the manifests differ from what Kubernetes accepts. */
export async function manifestFaults(manifests: readonly Manifest[]): Promise<string[]> {
  const faults = await Promise.all(manifests.map(schemaFaults));
  return [...typeFaults(manifests), ...faults.flat()];
}
