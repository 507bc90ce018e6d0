/**
 * The passwords of 10 characters and more that people choose most, from what the yearly lists agree on, in lower case.
 * The rules in `passwords.ts` catch their countless variations; this list holds what rules can't see.
 */
const listed = `
1q2w3e4r5t 1q2w3e4r5t6y 1qaz2wsx3edc 1qaz2wsx3e 1qazxsw23edc 1qaz@wsx3edc qazwsxedcrfv qazwsxedc1 zaq12wsxcde3
q1w2e3r4t5 q1w2e3r4t5y6 q1w2e3r4t5y6u7 1a2b3c4d5e a1b2c3d4e5 a1b2c3d4e5f6 1029384756 0192837465 9876543210 0123456789
1234567890 12345678910 123456789a 123456789q 1234567890q 123456789qwe 123456qwerty qwerty123456 qwerty1234
qwertyuiop qwertyuiop1 qwertyuiop123 qwertyuiop[] asdfghjkl1 asdfghjkl; zxcvbnm123 zxcvbnm,./ qwertyasdf asdfzxcv1234
147258369a 1472583690 7894561230 789456123a 1597534862 159753456852 3216549870 1122334455 11223344556677 1212121212
1111111111 0000000000 2222222222 1313131313 1231231231 1231231234 1234512345 1234554321 1234567899 0987654321
0987654321a 9999999999 8888888888 7777777777 6666666666 5555555555 4444444444 3333333333 2020202020 1010101010
password10 password11 password12 password123 password1234 password12345 passw0rd12 passw0rd123 p@ssw0rd12 p@ssw0rd123
password01 password99 passwordpassword mypassword1 newpassword yourpassword changeme123 changemenow letmein123 letmeinnow
iloveyou12 iloveyou123 iloveyou1234 iloveyou2 iloveyouforever iloveyousomuch iloveyoubaby iloveyou!! ilovemyself
ilovejesus ilovemymom iloveyou11 babygirl12 babygirl123 basketball basketball1 volleyball football12 football123
baseball12 baseball123 skateboard snowboarding liverpool1 liverpoolfc manchester manchester1 manchesterunited
barcelona1 realmadrid realmadrid1 juventus123 chelseafc1 arsenal123 dragonball dragonballz pokemon123 spongebob1
superman12 superman123 spiderman1 spiderman123 starwars12 starwars123 batman1234 naruto1234 minecraft1 minecraft123
gameofthrones harrypotter harrypotter1 hellokitty hellokitty1 michaeljackson michelle12 christopher christina1 alexander1
elizabeth1 katherine1 stephanie1 nightmare1 california california1 washington newyork123 montgomery scarlett12
chocolate1 chocolate12 strawberry strawberry1 watermelon blueberry1 butterfly1 butterfly12 sunshine12 sunshine123
beautiful1 sweetheart princess12 princess123 lovelygirl mylove1234 forever123 loveforever friendship friendsforever
bestfriend bestfriends familyfirst happybirthday merrychristmas heartbreak valentine1 september1 november11 december12
welcome123 welcome1234 welcome2020 welcome2021 welcome2022 welcome2023 welcome2024 welcome2025 welcome2026 hello12345
helloworld helloworld1 testing123 testtest12 test123456 test1234567 test12345678 admin12345 admin123456 administrator
administrator1 root123456 rootroot12 guest12345 user123456 demo123456 secret1234 secretpassword default123 temp123456
master1234 shadow1234 killer1234 monkey1234 dragon1234 charlie123 jordan1234 michael123 jessica123 ashley1234 daniel1234
abc1234567 abc123456789 abcd123456 abcd1234567 abcdefghij abcdefghijk abcdef1234 abcdefg123 abcabcabc1 aaaaaaaaaa
a123456789 aa12345678 aa123456789 as12345678 q123456789 qq123456789 z123456789 zz12345678 m123456789 w123456789
qwe123456789 qweasdzxc1 qweasdzxc123 qweqweqwe1 asd123456789 asdasdasd1 zxc123456789 zxczxczxc1 qwer123456 qwerty12345
qwerty1234567 qwerty123456789 qwertyuiopasdfghjklzxcvbnm qwertyqwerty qwerty2020 qwerty2021 qwerty2022 qwerty2023
woaini1314 woaini1314520 woaini520520 5201314520 1314520520 a5201314520 wang123456 liu123456789 password!1 password!23
trustno1trustno1 correcthorsebatterystaple correcthorse thisismypassword whatever12 whatever123 computer12 computer123
internet12 internet123 samsung123 samsung1234 iphone1234 google1234 googlegoogle facebook12 facebook123 linkedin12
youtube123 instagram1 twitter123 microsoft1 windows123 apple12345 yahoo12345 gmail12345 hotmail123 bitcoin123
bitcoin1234 bitcoin2021 ethereum123 dogecoin123 tothemoon1 tothemoon123 cryptocurrency hodlhodlhodl satoshi123
satoshinakamoto presale123 blockchain blockchain1 metamask123 binance123 coinbase123 lamborghini lamborghini1 mercedes12
mercedes123 volkswagen ferrari123 mustang123 porsche911 kawasaki12 motorcycle harleydavidson champion12 champion123
qazxswedc1 йцукенгшщз йцукен123456 йцукен12345 йцукен1234 йцукенгшщзхъ пароль1234 пароль12345 пароль123456 парольпароль
фывапролдж фывапролджэ ячсмитьбю1 любовь1234 люблютебя1 привет1234 привет12345 natasha123 marina1234 anastasia1 aleksandr1
ekaterina1 svetlana12 vladimir12 vladimir123 sergey1234 dmitriy123 spartak123 zenit12345 ghbdtn1234 gfhjkm1234 gfhjkm12345
gfhjkm123456 ytrewq1234 ytrewq654321 poiuytrewq lkjhgfdsa1 mnbvcxz123 0o9i8u7y6t zaqxswcdev zaqxswcde1 zaq1zaq1zaq1
1qaz1qaz1qaz qwaszx1234 qazqazqaz1 qwertzuiop azertyuiop azerty1234 azerty12345 azerty123456 motdepasse motdepasse1
contrasena contraseña1 teamo12345 tequiero12 tequieromucho passwort12 passwort123 hallo12345 schatz1234 fussball12
`

export const commonPasswords: ReadonlySet<string> = new Set(listed.trim().split(/\s+/))

/** Words that make a password common whatever digits and signs are put around them. */
export const commonWords: ReadonlySet<string> = new Set(
  `password passwort passwords pass passwd mypassword thepassword qwerty qwertz azerty qwertyui qwertyuiop asdfgh asdfghjkl
  zxcvbn zxcvbnm qazwsx qazwsxedc letmein welcome iloveyou ilove login admin administrator root user guest test testing
  tester demo temp default secret changeme master superman batman dragon monkey shadow sunshine princess football baseball
  basketball hockey soccer starwars pokemon charlie michael jordan jessica ashley daniel summer winter spring autumn monday
  friday january february march april june july august september october november december hello helloworld whatever trustno
  computer internet samsung google facebook freedom computer lovely loveme babygirl angel flower cookie chocolate cheese
  pepper ginger hunter killer ranger thomas robert andrew matthew joshua anthony bitcoin ethereum dogecoin crypto token
  itoken presale binance coinbase metamask wallet money dollar rich lambo moon hodl satoshi
  пароль йцукен йцукенг привет любовь солнышко админ gfhjkm ghbdtn parol privet lubov solnyshko`
    .trim()
    .split(/\s+/),
)
