import type { PayerTexts } from "../i18n/texts";
import type { CopyWords } from "../ui/copy-button";

/** The texts of a control that copies the thing of this name. */
export function copyWords(texts: PayerTexts, name: string): CopyWords {
  // Within a sentence; languages without capitals stay as they are.
  const what = name.toLowerCase();
  return {
    idle: texts("copy.idle"),
    copied: texts("copy.copied"),
    failed: texts("copy.failed"),
    act: texts("copy.act", { what }),
    done: texts("copy.done", { what }),
  };
}
