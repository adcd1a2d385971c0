// Notices of changes of authority. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const NOTICES = [
  [
    "{actor} added {whom} as {roles}.",
    "{actor} adicionou {whom} como {roles}.",
    "{actor} agregó a {whom} como {roles}.",
  ],
  [
    "{actor} added {whom}, whose roles await confirmation.",
    "{actor} adicionou {whom}, cujas funções aguardam confirmação.",
    "{actor} agregó a {whom}, cuyos roles esperan confirmación.",
  ],
  [
    "{actor} changed the name of {whom} to “{name}”.",
    "{actor} mudou o nome de {whom} para “{name}”.",
    "{actor} cambió el nombre de {whom} a “{name}”.",
  ],
  ["{actor} removed the name of {whom}.", "{actor} removeu o nome de {whom}.", "{actor} quitó el nombre de {whom}."],
  [
    "{actor} changed the roles of {whom} to {roles}.",
    "{actor} mudou as funções de {whom} para {roles}.",
    "{actor} cambió los roles de {whom} a {roles}.",
  ],
  [
    "{actor} proposed an approving role for {whom}; another owner or admin must confirm it.",
    "{actor} propôs para {whom} uma função que permite aprovar; outro proprietário ou administrador deve confirmá-la.",
    "{actor} propuso para {whom} un rol que permite aprobar; otro propietario o administrador debe confirmarlo.",
  ],
  [
    "{actor} confirmed the roles of {whom}: {roles}.",
    "{actor} confirmou as funções de {whom}: {roles}.",
    "{actor} confirmó los roles de {whom}: {roles}.",
  ],
  ["{actor} disabled {whom}.", "{actor} desativou {whom}.", "{actor} desactivó a {whom}."],
  ["{actor} enabled {whom}.", "{actor} ativou {whom}.", "{actor} activó a {whom}."],
  [
    "{actor} reset the password of {whom}.",
    "{actor} redefiniu a senha de {whom}.",
    "{actor} restableció la contraseña de {whom}.",
  ],
  [
    "{actor} set up one-time codes for the account of {whom}.",
    "{actor} configurou códigos de uso único na conta de {whom}.",
    "{actor} configuró códigos de un solo uso en la cuenta de {whom}.",
  ],
  [
    "{actor} removed the one-time codes of {whom}.",
    "{actor} removeu os códigos de uso único de {whom}.",
    "{actor} quitó los códigos de un solo uso de {whom}.",
  ],
  [
    "{actor} added a passkey to the account of {whom}.",
    "{actor} adicionou uma passkey à conta de {whom}.",
    "{actor} agregó una passkey a la cuenta de {whom}.",
  ],
  [
    "{actor} removed a passkey of {whom}.",
    "{actor} removeu uma passkey de {whom}.",
    "{actor} quitó una passkey de {whom}.",
  ],
  [
    "{actor} connected single sign-on to the account of {whom}.",
    "{actor} conectou o login único à conta de {whom}.",
    "{actor} conectó el inicio de sesión único a la cuenta de {whom}.",
  ],
  [
    "{actor} disconnected single sign-on from the account of {whom}.",
    "{actor} desconectou o login único da conta de {whom}.",
    "{actor} desconectó el inicio de sesión único de la cuenta de {whom}.",
  ],
  [
    "{actor} changed the merchant's name to “{name}”.",
    "{actor} mudou o nome do lojista para “{name}”.",
    "{actor} cambió el nombre del comercio a “{name}”.",
  ],
  [
    "{actor} changed the color or logo that payers see.",
    "{actor} mudou a cor ou o logotipo que os pagadores veem.",
    "{actor} cambió el color o el logotipo que ven los pagadores.",
  ],
  [
    "{actor} changed what requires a one-time code to: {acts}.",
    "{actor} mudou o que exige um código de uso único para: {acts}.",
    "{actor} cambió lo que exige un código de un solo uso a: {acts}.",
  ],
  [
    "{actor} required one-time codes to sign in.",
    "{actor} passou a exigir códigos de uso único para entrar.",
    "{actor} pasó a exigir códigos de un solo uso para iniciar sesión.",
  ],
  [
    "{actor} no longer requires one-time codes to sign in.",
    "{actor} não exige mais códigos de uso único para entrar.",
    "{actor} ya no exige códigos de un solo uso para iniciar sesión.",
  ],
  [
    "{actor} changed the cool-down of new authority to {seconds} seconds.",
    "{actor} mudou o período de carência de novas permissões para {seconds} segundos.",
    "{actor} cambió el período de espera de los permisos nuevos a {seconds} segundos.",
  ],
  [
    "{actor} changed the cool-off of new recipients.",
    "{actor} mudou o período de carência de novos favorecidos.",
    "{actor} cambió el período de espera de los beneficiarios nuevos.",
  ],
  [
    "{actor} saved a recipient of payouts, account ending {last4}, in the {environment} environment.",
    "{actor} salvou um favorecido de repasses, conta com final {last4}, no ambiente de {environment}.",
    "{actor} guardó un beneficiario de desembolsos, cuenta terminada en {last4}, en el entorno de {environment}.",
  ],
  [
    "{actor} created an API key for the {environment} environment.",
    "{actor} criou uma chave de API para o ambiente de {environment}.",
    "{actor} creó una clave de API para el entorno de {environment}.",
  ],
  [
    "{actor} proposed other top-up terms for the {environment} environment; another owner or admin must confirm them.",
    "{actor} propôs outras condições de recarga para o ambiente de {environment}; outro proprietário ou administrador deve confirmá-las.",
    "{actor} propuso otras condiciones de recarga para el entorno de {environment}; otro propietario o administrador debe confirmarlas.",
  ],
  [
    "{actor} confirmed other top-up terms for the {environment} environment.",
    "{actor} confirmou outras condições de recarga para o ambiente de {environment}.",
    "{actor} confirmó otras condiciones de recarga para el entorno de {environment}.",
  ],
  [
    "{actor} changed the payout limits of the {environment} environment.",
    "{actor} mudou os limites de repasse do ambiente de {environment}.",
    "{actor} cambió los límites de desembolso del entorno de {environment}.",
  ],
  [
    "{actor} changed the approval policy of the {environment} environment.",
    "{actor} mudou a política de aprovação do ambiente de {environment}.",
    "{actor} cambió la política de aprobación del entorno de {environment}.",
  ],
] as const satisfies Sentences;
