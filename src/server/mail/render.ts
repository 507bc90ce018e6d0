import { say } from '../texts.ts'
import type { Language } from './mail-kinds.ts'
import type { Brand } from './templates/template.ts'
import { type Block, escapeHtml, type MailText } from './text.ts'

export interface RenderedMail {
  subject: string
  text: string
  html: string
}

export function renderMail(mail: MailText, brand: Brand, language: Language): RenderedMail {
  const subject = brand.isDemo ? `[DEMO] ${mail.subject}` : mail.subject
  const tail = [
    ...(brand.isDemo ? [say(language, 'mail.footer.demo')] : []),
    say(language, 'mail.footer.never'),
    `${say(language, 'mail.footer.sent_by')} ${[brand.seller || brand.name, brand.contact].filter(Boolean).join(', ')}`,
  ]
  const text = [...mail.blocks.map(textOf), '--', ...tail].join('\n\n')
  return { subject: oneLine(subject), text: `${text}\n`, html: page(mail, tail, brand, language) }
}

/** For headers, whatever a name contains. */
function oneLine(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim()
}

function textOf(block: Block): string {
  if ('p' in block) return block.p
  if ('must' in block) return block.must
  if ('small' in block) return block.href ? `${block.small}\n${block.href}` : block.small
  if ('facts' in block) return block.facts.map(([label, value]) => `${label}: ${value}`).join('\n')
  return `${block.button}:\n${block.href}`
}

function page(mail: MailText, tail: readonly string[], brand: Brand, language: Language): string {
  return `<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(mail.subject)}</title>
</head>
<body style="margin:0;padding:24px;font:16px/1.5 system-ui,sans-serif">
<div style="max-width:560px;margin:0 auto">
<p style="margin:0 0 24px;font-weight:700">${escapeHtml(brand.name)}</p>
<h1 style="margin:0 0 16px;font-size:22px;line-height:1.3">${escapeHtml(mail.subject)}</h1>
${mail.blocks.map(htmlOf).join('\n')}
<hr style="margin:32px 0 16px;border:0;border-top:1px solid #8884">
${tail.map((line) => `<p style="margin:0 0 8px;font-size:13px">${escapeHtml(line)}</p>`).join('\n')}
</div>
</body>
</html>
`
}

const paragraph = (text: string) => `<p dir="auto" style="margin:0 0 16px">${escapeHtml(text)}</p>`

function htmlOf(block: Block): string {
  if ('p' in block) return paragraph(block.p)
  if ('must' in block) return paragraph(block.must)
  if ('small' in block) {
    const href = block.href && escapeHtml(block.href)
    const link = href ? ` <a href="${href}" style="word-break:break-all">${href}</a>` : ''
    return `<p style="margin:0 0 16px;font-size:14px">${escapeHtml(block.small)}${link}</p>`
  }
  if ('facts' in block) {
    const rows = block.facts.map(
      ([label, value]) =>
        `<tr><th scope="row" style="padding:4px 16px 4px 0;text-align:left;font-weight:400">${escapeHtml(label)}</th>` +
        `<td style="padding:4px 0;font-weight:600;word-break:break-word"><bdi>${escapeHtml(value)}</bdi></td></tr>`,
    )
    return `<table style="margin:0 0 16px;border-collapse:collapse">${rows.join('')}</table>`
  }
  const href = escapeHtml(block.href)
  return (
    `<p style="margin:24px 0"><a href="${href}" style="display:inline-block;padding:12px 20px;border-radius:8px;` +
    `border:1px solid #888;background:#111;color:#fff;text-decoration:none;font-weight:600">${escapeHtml(block.button)}</a></p>` +
    `<p style="margin:0 0 16px;font-size:13px;word-break:break-all">${href}</p>`
  )
}
