import { type ActorFacts, actorText } from "./actor-text";

/** "by Ana Souza", and the address on a line of its own, which no long name pushes out of sight. */
export function ActorLines({ actor }: { readonly actor: ActorFacts }) {
  const { name, address } = actor;
  const lines = name !== null && address !== null ? [`by ${name}`, address] : [`by ${actorText(actor)}`];
  return lines.map((line) => (
    <span key={line} className="caption block max-w-36 truncate" title={actorText(actor)}>
      {line}
    </span>
  ));
}
