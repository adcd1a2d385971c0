// Shows the secret of an endpoint. This is the only time that it is visible.
import { useTexts } from "../i18n/use-texts";
import { Button } from "../ui/button";
import { CopyLine } from "../ui/copy-line";
import { Notice } from "../ui/notice";

interface SecretOnceProps {
  readonly secret: string;
  readonly onClose: () => void;
}

/** The rest of a dialog, once there is a secret. */
export function SecretOnce({ secret, onClose }: SecretOnceProps) {
  const texts = useTexts();
  return (
    <>
      <Notice tone="plain">{texts("webhooks.saveSecret")}</Notice>
      <dl className="rounded-md border border-line px-3.5">
        <CopyLine label={texts("webhooks.signingSecret")} value={secret} isCode />
      </dl>
      <div className="flex justify-end">
        <Button size="medium" tone="primary" onClick={onClose}>
          {texts("webhooks.iveSavedIt")}
        </Button>
      </div>
    </>
  );
}
