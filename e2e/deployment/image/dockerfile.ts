// Reads the project's Dockerfile and .dockerignore.
import { readFileSync } from "node:fs";
import { join } from "node:path";
import dockerignore from "@balena/dockerignore";
import { type Copy, DockerfileParser, type From, type Instruction } from "dockerfile-ast";
import { PROJECT_ROOT } from "../../support/service-process";

/** One instruction that changes a stage's files. */
type Step =
  | { readonly kind: "run"; readonly script: string }
  /** `from` names the stage that the paths belong to; null for the project's folder. */
  | { readonly kind: "copy"; readonly from: string | null; readonly sources: readonly string[]; readonly to: string };

export interface Stage {
  /** Null for a stage without a name, such as the last one. */
  readonly name: string | null;
  /** The image or stage that it begins with. */
  readonly base: string;
  readonly steps: readonly Step[];
  readonly variables: Readonly<Record<string, string>>;
  /** A number, as Kubernetes needs it; null for root. */
  readonly user: number | null;
  readonly command: readonly string[];
  readonly healthCheck: readonly string[];
}

export const readDockerfile = () => readFileSync(join(PROJECT_ROOT, "Dockerfile"), "utf8");

/** The words of a command in JSON, as CMD and HEALTHCHECK have it here. */
function commandOf(instruction: Instruction): string[] {
  const text = instruction.getArgumentsContent() ?? "";
  return JSON.parse(text.slice(text.indexOf("["))) as string[];
}

function copyStep(copy: Copy): Step {
  const words = copy.getArguments().map((word) => word.getValue());
  return {
    kind: "copy",
    from: copy.getFromFlag()?.getValue() ?? null,
    sources: words.slice(0, -1),
    to: words.at(-1) ?? "",
  };
}

/** The variables of lines such as `NAME=value`. */
export function variablesOf(lines: readonly string[]): Record<string, string> {
  return Object.fromEntries(lines.map((line) => [line.split("=")[0] ?? "", line.slice(line.indexOf("=") + 1)]));
}

/** The stages of a Dockerfile, in order. Throws for an instruction that the specs cannot follow. */
export function stagesOf(text: string): Stage[] {
  const stages: { -readonly [Key in keyof Stage]: Stage[Key] }[] = [];
  for (const instruction of DockerfileParser.parse(text).getInstructions()) {
    const words = instruction.getArguments().map((word) => word.getValue());
    const keyword = instruction.getKeyword();
    const stage = stages.at(-1);
    if (keyword === "FROM") {
      const from = instruction as From;
      const base = from.getImage() ?? "";
      const inherited = stages.find(({ name }) => name === base);
      const name = from.getBuildStage();
      stages.push({ variables: {}, user: null, command: [], healthCheck: [], ...inherited, name, base, steps: [] });
    } else if (!stage) throw new Error(`${keyword} stands before FROM`);
    else if (keyword === "RUN") stage.steps = [...stage.steps, { kind: "run", script: words.join(" ") }];
    else if (keyword === "COPY") stage.steps = [...stage.steps, copyStep(instruction as Copy)];
    else if (keyword === "ENV") stage.variables = { ...stage.variables, ...variablesOf(words) };
    else if (keyword === "USER") stage.user = Number(words[0]?.split(":")[0]);
    else if (keyword === "CMD") stage.command = commandOf(instruction);
    else if (keyword === "HEALTHCHECK") stage.healthCheck = commandOf(instruction);
    else if (keyword === "WORKDIR" ? words[0] !== "/app" : keyword !== "EXPOSE")
      throw new Error(`the specs do not follow ${keyword} ${words.join(" ")}`);
  }
  return stages;
}

/** Returns whether the builder receives a path of the project's folder. */
export function contextFilter(): (path: string) => boolean {
  const rules = readFileSync(join(PROJECT_ROOT, ".dockerignore"), "utf8").split("\n");
  return dockerignore().add(rules).createFilter();
}
