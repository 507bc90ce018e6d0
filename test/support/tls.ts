/** A certificate that signs itself for `hooks.example.org`, for https servers of tests on this machine. It protects nothing. */
export const tlsName = 'hooks.example.org'
export const tlsKey = `-----BEGIN PRIVATE KEY-----
MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgIqUrXo+r9WC/gCID
5kjVBUO4QJOK+Rig+5WIcL+U2xShRANCAATKf4dTeY4XE6+ipGJ8rjVHzU9wOOZI
POn+14Zc2I51CzPmKPK7tES82FIxO2gFPfNrq5hAdEn2a40Q3mj6fe7k
-----END PRIVATE KEY-----`
export const tlsCertificate = `-----BEGIN CERTIFICATE-----
MIIBrjCCAVOgAwIBAgIUUzCTho1rTdCTk6C9kn2Ut8xU8dQwCgYIKoZIzj0EAwIw
HDEaMBgGA1UEAwwRaG9va3MuZXhhbXBsZS5vcmcwIBcNMjYxMTIxMDQxOTIxWhgP
MjEyNjEwMjgwNDE5MjFaMBwxGjAYBgNVBAMMEWhvb2tzLmV4YW1wbGUub3JnMFkw
EwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEyn+HU3mOFxOvoqRifK41R81PcDjmSDzp
/teGXNiOdQsz5ijyu7REvNhSMTtoBT3za6uYQHRJ9muNEN5o+n3u5KNxMG8wHQYD
VR0OBBYEFILK49GkzFQNh76HM92TnKeJKc73MB8GA1UdIwQYMBaAFILK49GkzFQN
h76HM92TnKeJKc73MA8GA1UdEwEB/wQFMAMBAf8wHAYDVR0RBBUwE4IRaG9va3Mu
ZXhhbXBsZS5vcmcwCgYIKoZIzj0EAwIDSQAwRgIhAJ1Gfv/dxCbOStUvVxtiDq0A
qojVpv16/h+vA+XLtlepAiEAjuADykA32tKqi6EGun/xNGxctaC9XsV8lOqNqhUr
EJM=
-----END CERTIFICATE-----`
