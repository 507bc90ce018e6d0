import { Distribution } from './landing/Distribution.tsx'
import { Faq } from './landing/Faq.tsx'
import { Hero } from './landing/Hero.tsx'
import { MainPrize } from './landing/MainPrize.tsx'
import { Purpose } from './landing/Purpose.tsx'
import { Rewards } from './landing/Rewards.tsx'
import { TokenDetails } from './landing/TokenDetails.tsx'

export function Landing() {
  return (
    <>
      <Hero />
      <Purpose />
      <TokenDetails />
      <Rewards />
      <Distribution />
      <MainPrize />
      <Faq />
    </>
  )
}
