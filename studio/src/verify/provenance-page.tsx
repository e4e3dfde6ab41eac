/** How films say that AI has made them, for viewers, makers and sellers: the law, the settings, what is left. */
import { t } from '@lingui/core/macro'
import { Trans } from '@lingui/react/macro'
import { Link } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { site } from '../site.ts'
import { OpenPage } from './open-page.tsx'
import styles from './provenance-page.module.css'

export const ProvenancePage = () => (
  <OpenPage title={t`AI marks`}>
    <div className="stack">
      <h1>{t`How films say that AI has made them`}</h1>
      <p>
        <Trans>
          AI makes every film of {site.name}, and each film says so. <Link to="/verify">Check a film</Link>
        </Trans>
      </p>
    </div>
    <Section title={t`The marks`}>
      <li>{t`Content credentials (C2PA): a signed manifest in the film and its poster, or in a file beside the film. It says that AI has made the film, which model, when, and from which earlier films and pictures. It names no prompt and no person.`}</li>
      <li>{t`A visible “AI” with the model and the date beside the film: in the player, on the page of a shared film, and in Explore.`}</li>
      <li>{t`Where the operator has set it, the AIGC label of China in the metadata of the film and its poster.`}</li>
      <li>{t`A film that is encoded again, as many platforms do, loses the manifest. Its SHA-256 is then another one, too.`}</li>
    </Section>
    <Section title={t`Which law`}>
      <li>{t`European Union, article 50 of the AI Act: since 2 August 2026 what a service generates is marked in a machine-readable way and can be detected. Systems that were on the market before have until 2 December 2026.`}</li>
      <li>{t`China, GB 45438-2025: since 1 September 2025 a label in the metadata, and a visible notice.`}</li>
      <li>{t`This is no legal advice: whether a law applies to a service, its lawyer says.`}</li>
    </Section>
    <Section title={t`What users owe`}>
      <li>{t`Leave the marks as they are, and pass films on with them.`}</li>
      <li>{t`The publisher of a film that looks real says that AI has made it: article 50 asks that of the publisher, too.`}</li>
    </Section>
    <section className="stack">
      <h2>{t`Settings, for operators`}</h2>
      <dl className={styles.settings}>
        <Setting name="PROVENANCE">
          <Trans>
            <code>on</code>: films are signed; one that cannot be signed is stored, and signed later.{' '}
            <code>required</code>: it waits, and is tried again until its deadline. <code>off</code>: no film is signed.
          </Trans>
        </Setting>
        <Setting name="PROVENANCE_CERTIFICATE, PROVENANCE_KEY">{t`Who signs. Without them the service makes a certificate of its own, which the tools of others call unknown. Authorities of the C2PA trust list issue one that they know.`}</Setting>
        <Setting name="PROVENANCE_TSA">{t`A time stamp authority: a signature then counts after its certificate has expired.`}</Setting>
        <Setting name="PROVENANCE_CN">{t`The code of the producer for the label of China.`}</Setting>
        <Setting name="VENDOR_WATERMARK">
          <Trans>
            <code>on</code>: vendors that leave it open put their visible watermark into films. <code>off</code>: they
            do not.
          </Trans>
        </Setting>
      </dl>
      <p>
        <Trans>
          <code>docs/provenance.md</code> of Kinora has the rest: the certificate, its expiry, films of before, and
          watermarks by model.
        </Trans>
      </p>
    </section>
    <Section title={t`What the terms of a service must say`}>
      <li>{t`That users do not remove or change the marks, and pass films on with them.`}</li>
      <li>{t`That users who publish a film that looks real say that AI has made it.`}</li>
      <li>{t`In China: what users do who ask for a film without a visible notice, and that the service keeps a log of it.`}</li>
    </Section>
    <Section title={t`What Kinora does not do`}>
      <li>{t`It puts no imperceptible watermark into films: that is for the vendor of the model. By its page Google does, with SynthID, in films of Veo. Of the APIs of the other ready models no page was found that says so (November 2026). Kinora does not encode films again, so what a vendor has put into the picture stays.`}</li>
      <li>{t`It draws no visible mark into the picture, which would take another encoding.`}</li>
      <li>{t`It does not watch whether others keep the marks.`}</li>
    </Section>
  </OpenPage>
)

const Section = ({ title, children }: { title: string; children: ReactNode }) => (
  <section className="stack">
    <h2>{title}</h2>
    <ul className={styles.list}>{children}</ul>
  </section>
)

const Setting = ({ name, children }: { name: string; children: ReactNode }) => (
  <div>
    <dt>
      <code>{name}</code>
    </dt>
    <dd>{children}</dd>
  </div>
)
