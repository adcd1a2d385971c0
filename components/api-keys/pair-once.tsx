// Shows a new pair of keys. This is the only time that the secret is visible.
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Notice } from "../ui/notice";

interface PairOnceProps {
  readonly publicKey: string;
  readonly secretKey: string;
  readonly onClose: () => void;
}

/** The rest of a dialog, once there is a pair. */
export function PairOnce({ publicKey, secretKey, onClose }: PairOnceProps) {
  const texts = useTexts();
  return (
    <>
      <Notice tone="plain">{texts("keys.keepSecret")}</Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label={texts("keys.publicKey")} value={publicKey} isCode />
        <CopyLine label={texts("keys.secretKey")} value={secretKey} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          {texts("keys.iveSavedIt")}
        </Button>
      </div>
    </>
  );
}
