import type { Catalogue } from "../en";

export const signIn = {
  noMember:
    "Você não é membro ativo de nenhum lojista aqui, ou seu provedor não verificou seu endereço. Peça a um proprietário ou administrador que convide esse endereço.",
  factorRequired:
    "Sua empresa exige um segundo fator, e seu provedor não informou ter pedido um. Entre com uma passkey ou configure um segundo fator no seu provedor.",
  codeWrong: "O código está errado ou já foi usado. Espere o próximo ou use um código de recuperação.",
  singleSignOnFailed:
    "O login único não funcionou. Tente de novo; se falhar outra vez, avise o operador desta instância.",
  tooLate: "Você demorou mais de cinco minutos. Comece de novo na página de login.",
  passwordWrong: "A senha está errada ou houve tentativas demais.",
  password: "Senha",
  connectHint:
    "Só uma vez, para conectar sua conta aqui com o provedor. Se você nunca escolheu uma senha, avise um proprietário: outra pessoa abriu seu convite.",
  oneTimeCode: "Código de uso único",
  neverConnected: "Você ainda não tinha entrado aqui com o provedor.",
  againFailed: "O novo login não funcionou. Feche esta janela e tente de novo.",
  againRefused: "A resposta do provedor não foi aceita: entre com sua própria conta e informe sua senha lá.",
  againDone: "Pronto. Você pode fechar esta janela.",
  openingYourProvider: "Abrindo seu provedor…",
  notSignedIn:
    "Não foi possível entrar. Confira o endereço e a senha. As contas ficam bloqueadas por 30 minutos depois de dez tentativas malsucedidas.",
  passkeyFailed:
    "Não foi possível entrar com uma passkey. Use sua senha e adicione uma passkey para este site em Sua conta.",
  noAnswer: "O serviço não respondeu. Tente de novo em instantes.",
  email: "E-mail",
  codeHint: "Do seu autenticador, ou um dos códigos de recuperação.",
  signingIn: "Entrando…",
  signIn: "Entrar",
  signInWithPasskey: "Entrar com uma passkey",
  needsJavaScript: "Para entrar é preciso JavaScript.",
  signOut: "Sair",
  opening: "Abrindo…",
  signInWithName: "Entrar com {name}",
  linkInvalid: "Este link não funciona. Ele pode ter expirado, ter sido usado ou substituído. Peça um novo.",
  checkingTheLink: "Verificando o link…",
  passwordSet: "Sua senha foi definida. <textLink>Entrar</textLink>",
  theTwoPasswordsDiffer: "As duas senhas são diferentes.",
  invited: "Você recebeu um convite para {merchantName}. Escolha a senha com que vai entrar.",
  reset: "Escolha uma nova senha para {merchantName}.",
  passwordHint: "Pelo menos 12 caracteres.",
  passwordAgain: "Repita a senha",
  setting: "Definindo…",
  setPassword: "Definir senha",
} satisfies Readonly<Record<keyof Catalogue["signIn"], string>>;
