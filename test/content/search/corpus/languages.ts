// Pages in other languages than English.

import { page } from "./page";

export const languages = [
  page(
    "de-schluessel",
    "Schlüssel verwalten",
    "Zugriffsschlüssel anlegen, erneuern und löschen.",
    "Jeder Schlüssel gehört zu einem Projekt. Er wird nur einmal angezeigt; bewahren Sie ihn an einem sicheren Ort auf.",
    { "Schlüssel erneuern": "Legen Sie zuerst den neuen an und löschen Sie danach den alten." },
  ),
  page(
    "de-rechnungen",
    "Rechnungen und Zahlung",
    "Wie abgerechnet wird.",
    "Die Rechnung kommt am Monatsende per E-Mail. Zahlen können Sie per Lastschrift oder Kreditkarte. Die Umsatzsteuer wird ausgewiesen.",
  ),
  page(
    "de-groesse",
    "Maximale Größe von Dateien",
    "Grenzen beim Hochladen.",
    "Dateien dürfen höchstens 100 MB groß sein. Größere Dateien werden abgewiesen; außerdem gilt ein Kontingent je Straße der Verarbeitung.",
  ),
  page(
    "fr-demarrage",
    "Démarrage rapide",
    "Créer un compte et une première collection.",
    "Ce guide prend cinq minutes. Créez un compte, installez l'outil en ligne de commande et ouvrez une session.",
    { "Créer une collection": "La collection est créée dans la région la plus proche." },
  ),
  page(
    "fr-sauvegardes",
    "Sauvegardes et restauration",
    "Récupérer les données perdues.",
    "Les sauvegardes sont continues. Vous pouvez restaurer l'état d'une collection à n'importe quel moment des trente derniers jours.",
  ),
  page(
    "el-asfaleia",
    "Ασφάλεια λογαριασμού",
    "Κωδικοί πρόσβασης και έλεγχος δύο παραγόντων.",
    "Ενεργοποιήστε τον έλεγχο ταυτότητας δύο παραγόντων για να προστατεύσετε τον λογαριασμό σας.",
  ),
  page(
    "el-timologia",
    "Τιμολόγια",
    "Πώς γίνεται η χρέωση.",
    "Τα τιμολόγια αποστέλλονται στο τέλος κάθε μήνα με ηλεκτρονικό ταχυδρομείο.",
  ),
  page(
    "ru-nastroyka",
    "Настройка окружения",
    "Переменные окружения и секреты.",
    "Переменные задаются для каждого окружения отдельно. Секреты хранятся в зашифрованном виде.",
  ),
  page(
    "ru-ocheredi",
    "Очереди сообщений",
    "Как работают очереди.",
    "Каждое сообщение получает один потребитель. Если он не подтвердил обработку, сообщение получит другой. Учёт ошибок ведётся отдельно.",
  ),
  page(
    "zh-renzheng",
    "身份认证",
    "如何证明请求的来源。",
    "每个请求都需要在请求头中携带访问令牌。没有令牌的请求会返回401状态码。请妥善保管您的密钥。",
    { 单点登录: "企业版支持SAML和OpenID Connect单点登录。", 多因素认证: "管理员可以要求所有成员启用多因素认证。" },
  ),
  page(
    "zh-shujuku",
    "数据库备份与恢复",
    "恢复最近三十天内任意时刻的数据。",
    "系统会持续备份所有集合。恢复时会创建一个新的集合,原有的数据不会受到影响。",
    { 导出: "每天晚上可以将数据导出到您自己的存储桶。" },
  ),
  page(
    "zh-bushu",
    "部署应用程序",
    "从代码仓库自动部署。",
    "连接代码仓库之后,每次推送都会触发一次部署。您可以随时回滚到以前的版本。",
  ),
  page(
    "ja-tokun",
    "アクセストークンの管理",
    "トークンの作成と失効。",
    "設定画面からトークンを作成できます。トークンは作成時に一度だけ表示されます。漏洩した場合はすぐに失効させてください。",
  ),
  page(
    "ja-kensaku",
    "ドキュメントの検索",
    "条件を指定して検索する。",
    "コレクションの中からドキュメントを検索できます。インデックスを作成すると検索が速くなります。",
  ),
  page(
    "ja-tsuchi",
    "障害通知の設定",
    "メールとチャットで通知を受け取る。",
    "障害が発生すると、登録したメールアドレスに通知が届きます。通知の頻度は設定で変更できます。",
  ),
  page(
    "ko-gwonhan",
    "권한과 역할",
    "누가 무엇을 할 수 있는지 정합니다.",
    "역할은 조직이나 프로젝트에 부여됩니다. 관리자는 구성원의 역할을 언제든지 변경할 수 있습니다.",
  ),
  page(
    "ko-webhuk",
    "웹훅 설정하기",
    "이벤트를 URL로 전송합니다.",
    "웹훅을 등록하면 이벤트가 발생할 때마다 요청을 보냅니다. 서명을 확인하여 위조된 요청을 거부하세요.",
  ),
  page(
    "ko-doekgi",
    "데이터 되돌리기",
    "백업에서 데이터를 복원합니다.",
    "지난 30일 동안의 모든 시점으로 되돌릴 수 있습니다.",
  ),
];
