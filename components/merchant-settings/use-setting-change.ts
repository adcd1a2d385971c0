// What happens after a change of a setting: the page reads the settings afresh, and the dialog closes.
import { useQueryClient } from "@tanstack/react-query";
import { useRouter } from "next/navigation";
import { useTRPC } from "../trpc/client";
import { useAnnounce } from "../ui/announcer";

export function useSettingChange(text: string, onClose: () => void) {
  const trpc = useTRPC();
  const queries = useQueryClient();
  const router = useRouter();
  const announce = useAnnounce();
  return {
    onSuccess: () => {
      announce(text);
      onClose();
      // The frame around the page shows the merchant's name, too.
      router.refresh();
    },
    onSettled: () => void queries.invalidateQueries({ queryKey: trpc.merchantSettings.show.queryKey() }),
  };
}
