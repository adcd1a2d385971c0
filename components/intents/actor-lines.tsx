import { useTexts } from "../i18n/use-texts";
import { type ActorFacts, actorText } from "./actor-text";

/** "by Ana Souza", and the address on a line of its own, which no long name pushes out of sight. */
export function ActorLines({ actor }: { readonly actor: ActorFacts }) {
  const texts = useTexts();
  const { name, address } = actor;
  const lines =
    name !== null && address !== null
      ? [texts("intents.byName", { name }), address]
      : [texts("intents.byActor", { actor: actorText(texts, actor) })];
  return lines.map((line) => (
    <span key={line} className="caption block max-w-36 truncate" title={actorText(texts, actor)}>
      {line}
    </span>
  ));
}
