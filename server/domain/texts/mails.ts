// Mails and other notifications. English, Brazilian Portuguese, Spanish.
import type { Sentences } from "./sentence";

export const MAILS = [
  // One-time links.
  ["You are invited to {merchant}", "Convite para {merchant}", "Invitación a {merchant}"],
  [
    "Choose a new password for {merchant}",
    "Escolha uma nova senha para {merchant}",
    "Elija una contraseña nueva para {merchant}",
  ],
  [
    "You are invited to {merchant}.",
    "Você recebeu um convite para {merchant}.",
    "Recibió una invitación a {merchant}.",
  ],
  [
    "Your password for {merchant} was reset.",
    "A sua senha para {merchant} foi redefinida.",
    "Se restableció su contraseña para {merchant}.",
  ],
  ["Choose your password here:", "Escolha aqui a sua senha:", "Elija aquí su contraseña:"],
  [
    "The link works once, until {time}. Do not pass it on.",
    "O link funciona uma vez, até {time}. Não o compartilhe.",
    "El enlace funciona una vez, hasta {time}. No lo comparta.",
  ],
  // Notices of changes of authority.
  ["Access to {merchant} changed", "O acesso a {merchant} mudou", "El acceso a {merchant} cambió"],
  ["Merchant: {merchant}", "Lojista: {merchant}", "Comercio: {merchant}"],
  ["Time: {time}", "Hora: {time}", "Hora: {time}"],
  [
    "If you do not expect this, check the audit log: {address}",
    "Se você não esperava isto, consulte o registro de auditoria: {address}",
    "Si no esperaba esto, consulte el registro de auditoría: {address}",
  ],
  // Headlines of notifications.
  ["1 payout waits for your approval", "1 repasse aguarda a sua aprovação", "1 desembolso espera su aprobación"],
  [
    "{count} payouts wait for your approval",
    "{count} repasses aguardam a sua aprovação",
    "{count} desembolsos esperan su aprobación",
  ],
  [
    "1 payout is cancelled soon unless approved",
    "1 repasse será cancelado em breve, se não for aprovado",
    "1 desembolso se cancelará pronto si no se aprueba",
  ],
  [
    "{count} payouts are cancelled soon unless approved",
    "{count} repasses serão cancelados em breve, se não forem aprovados",
    "{count} desembolsos se cancelarán pronto si no se aprueban",
  ],
  ["1 proposed refund", "1 reembolso proposto", "1 reembolso propuesto"],
  ["{count} proposed refunds", "{count} reembolsos propostos", "{count} reembolsos propuestos"],
  ["1 open exception", "1 exceção em aberto", "1 excepción abierta"],
  ["{count} open exceptions", "{count} exceções em aberto", "{count} excepciones abiertas"],
  ["1 exception assigned to you", "1 exceção atribuída a você", "1 excepción asignada a usted"],
  ["{count} exceptions assigned to you", "{count} exceções atribuídas a você", "{count} excepciones asignadas a usted"],
  ["1 failing webhook endpoint", "1 endpoint de webhook com falha", "1 endpoint de webhook con fallas"],
  [
    "{count} failing webhook endpoints",
    "{count} endpoints de webhook com falha",
    "{count} endpoints de webhook con fallas",
  ],
  ["1 proposed approval policy", "1 política de aprovação proposta", "1 política de aprobación propuesta"],
  [
    "{count} proposed approval policies",
    "{count} políticas de aprovação propostas",
    "{count} políticas de aprobación propuestas",
  ],
  [
    "1 proposed change of top-up terms",
    "1 alteração proposta das condições de recarga",
    "1 cambio propuesto de las condiciones de recarga",
  ],
  [
    "{count} proposed changes of top-up terms",
    "{count} alterações propostas das condições de recarga",
    "{count} cambios propuestos de las condiciones de recarga",
  ],
  ["1 change of access", "1 mudança de acesso", "1 cambio de acceso"],
  ["{count} changes of access", "{count} mudanças de acesso", "{count} cambios de acceso"],
  ["Test", "Teste", "Prueba"],
  ["{count} notifications", "{count} notificações", "{count} notificaciones"],
  // The sentences of notifications begin after the merchant's name.
  [
    "payout of {sum} waits for your approval",
    "o repasse de {sum} aguarda a sua aprovação",
    "el desembolso de {sum} espera su aprobación",
  ],
  [
    "payout of {sum} is cancelled soon unless it is approved",
    "o repasse de {sum} será cancelado em breve, se não for aprovado",
    "el desembolso de {sum} se cancelará pronto si no se aprueba",
  ],
  [
    "refund of {sum} waits for the decision of a second member",
    "o reembolso de {sum} aguarda a decisão de um segundo membro",
    "el reembolso de {sum} espera la decisión de un segundo miembro",
  ],
  ["exception about {subject}: {kind}", "exceção sobre {subject}: {kind}", "excepción sobre {subject}: {kind}"],
  [
    "exception about {subject} is assigned to you: {kind}",
    "a exceção sobre {subject} está atribuída a você: {kind}",
    "la excepción sobre {subject} está asignada a usted: {kind}",
  ],
  [
    "webhook endpoint at {host} was disabled",
    "o endpoint de webhook em {host} foi desativado",
    "el endpoint de webhook en {host} se desactivó",
  ],
  [
    "webhook endpoint at {host} accepts no deliveries",
    "o endpoint de webhook em {host} não aceita entregas",
    "el endpoint de webhook en {host} no acepta entregas",
  ],
  [
    "version {version} of the approval policy waits for the decision of a second member",
    "a versão {version} da política de aprovação aguarda a decisão de um segundo membro",
    "la versión {version} de la política de aprobación espera la decisión de un segundo miembro",
  ],
  [
    "change of the top-up terms waits for the decision of a second member",
    "a alteração das condições de recarga aguarda a decisão de um segundo membro",
    "el cambio de las condiciones de recarga espera la decisión de un segundo miembro",
  ],
  [
    "this is a test: notifications reach you here",
    "isto é um teste: as notificações chegam a você aqui",
    "esto es una prueba: las notificaciones le llegan aquí",
  ],
  [", since {time}", ", desde {time}", ", desde {time}"],
  [", until {time}", ", até {time}", ", hasta {time}"],
  [", at {time}", ", em {time}", ", el {time}"],
  ["{count} more.", "Mais {count}.", "{count} más."],
  ["Open", "Abrir", "Abrir"],
  [
    "You chose these notifications: {address}",
    "Você escolheu estas notificações: {address}",
    "Usted eligió estas notificaciones: {address}",
  ],
] as const satisfies Sentences;
