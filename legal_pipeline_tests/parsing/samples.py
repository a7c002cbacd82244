"""One short document of every kind of source, of our own writing: seeds for damage where the real texts are not at hand.

Not here: what is asserted about them.
"""

from __future__ import annotations

import json

SWEDISH_PAGE = """<!DOCTYPE html><html><head><title>Lag (2099:10) om fyrar</title></head><body>
<div class="result-inner-box bold">Svensk författningssamling 2099:10</div>
<div class="result-inner-box"><span class="bold">SFS nr</span>: 2099:10</div>
<div class="result-inner-box">SFS-nummer · 2099:10 · <span class="bold">Departement:</span> Sjödepartementet</div>
<div class="result-box-text body-text">1 kap. Inledande bestämmelser

1 § Denna lag gäller den som vaktar en fyr.

2 § En fyrvakt ska
1. tända fyren i skymningen, och
2. släcka den i gryningen. Lag (2099:55).

Övergångsbestämmelser

2099:10
1. Denna lag träder i kraft den 1 juli 2099.</div></body></html>"""

SWEDISH_JSON = json.dumps(
    {
        "beteckning": "2099:10",
        "rubrik": "Lag (2099:10) om fyrar",
        "fulltext": {
            "utfardadDateTime": "2099-01-02T00:00:00",
            "forfattningstext": "1 § Denna lag gäller fyrar.\r\n\r\n2 § Fyren ska lysa.\r\n",
        },
        "andringsforfattningar": [],
    },
    ensure_ascii=False,
)

RIKSDAGEN_PAGE = """<h2>Lag (2099:10) om fyrar</h2><b>SFS nr</b>: 2099:10<br />
<h3 name="K1"><a name="K1">1 kap. Om fyrar</a></h3><a class="paragraf" name="K1P1"><b>1 §</b></a> &nbsp;&nbsp;Fyren ska lysa.
<p><a name="K1P1S2"></a></p>Den ska lysa klart. <i>Lag (2099:55)</i>.
<a class="paragraf" name="K1P2"><b>2 §</b></a> &nbsp;&nbsp;Fyrvakten ska vara vaken."""

CANONICAL_PAGE = """<article class="legal-document" id="SFS2099-10"><div class="lovhead"><h1><p class="text">SFS 2099:10</p>
<p class="text">Lag (2099:10) om fyrar</p></h1></div><div class="body"><section class="kapitel" id="SFS2099-10_K1">
<h2 class="kapitel-rubrik">1 kap. Om fyrar</h2><h3 class="paragraph"><a class="paragraf" id="SFS2099-10_K1_P1">1 §</a></h3>
<p class="text">Fyren ska lysa.</p><ol class="list"><li><p class="text">i mörker, och</p></li><li><p class="text">i dimma.</p></li>
</ol>
</section></div><footer class="back"><h2>Övergångsbestämmelser</h2><p class="text">Lagen träder i kraft den 1 juli 2099.</p></footer>
</article>"""

SWEDISH_MARKDOWN = """---
beteckning: 2099:10
rubrik: Lag (2099:10) om fyrar
departement: Sjödepartementet
---

# Lag (2099:10) om fyrar

## 1 kap. Om fyrar

#### 1 §

Fyren ska lysa, se [2 §](#kap1.2).

#### 2 §

Vakten ska vara vaken. *Lag (2099:55)*.
"""

INDIAN_MARKDOWN = """---
title: "The Lighthouse Act, 2099"
language: en
part: 1
parts: 1
source: https://example.org/act
---

# The Lighthouse Act, 2099

Sections: 1 to 2

## Section 1 - Short title.

This Act may be called the Lighthouse Act, 2099.

## Section 2 - Duties of keepers.

(1) A keeper shall^1[light the lamp]—
(a) at dusk; and
(b) in fog:
Provided that no lamp is lit in the month of June.
Explanation.—In this section "dusk" means sunset.

### Footnotes

1. Subs. by Act 3 of 2100, s. 2, for "light the fire".
"""

INDIAN_JSON = json.dumps(
    [
        {
            "chapter": 1,
            "section": 1,
            "section_title": "Short title",
            "section_desc": "This Act may be called the Lamp Act.",
        },
        {
            "chapter": 1,
            "section": 2,
            "section_title": "Keepers",
            "section_desc": "(1) A keeper shall—\n\t\t(a) light; or\n\t\t(b) tell.",
        },
    ]
)

ZIMBABWEAN_JSON = json.dumps(
    {
        "id": "zw-2099-1",
        "type": "statute",
        "title": "Lighthouse Act",
        "status": "in_force",
        "issued_date": "2099-01-01",
        "url": "https://zimlii.org/akn/zw/act/2099/1/eng@2099-12-31",
        "provisions": [
            {
                "provision_ref": "s1",
                "section": "1",
                "title": "Short title",
                "content": "1. Short title This Act is the Lighthouse Act.",
            },
            {
                "provision_ref": "s2",
                "section": "2",
                "title": "Keepers",
                "content": "2. Keepers (1) A keeper shall— (a) watch; (b) light.",
            },
        ],
        "definitions": [],
    }
)

AKN_XML = """<?xml version="1.0" encoding="UTF-8"?><akomaNtoso xmlns="http://docs.oasis-open.org/legaldocml/ns/akn/3.0">
<act name="act"><meta>
<identification source="#x"><FRBRWork><FRBRthis value="/akn/zw/act/2099/1/!main"/><FRBRuri value="/akn/zw/act/2099/1"/>
<FRBRalias value="Lighthouse Act"/><FRBRdate date="2099" name="Generation"/><FRBRauthor href="#x"/><FRBRcountry value="zw"/></FRBRWork>
<FRBRExpression><FRBRthis value="/akn/zw/act/2099/1/eng/!main"/><FRBRuri value="/akn/zw/act/2099/1/eng"/>
<FRBRdate date="2099-01-02" name="G"/>
<FRBRauthor href="#x"/><FRBRlanguage language="eng"/></FRBRExpression></identification></meta><body><chapter eId="chp_1"><num>1</num>
<heading>Lamps</heading><section eId="sec_1"><num>1.</num><heading>Light</heading><subsection eId="sec_1__subsec_1"><num>(1)</num>
<content>
<p>The lamp is lit.</p></content></subsection></section></chapter></body></act></akomaNtoso>"""

AKN_PAGE = """<div class="coverpage"><h1>Lighthouse Act</h1></div><span class="akn-act" data-name="act"><span class="akn-body">
<section class="akn-section" id="sec_1" data-eId="sec_1"><h3>1. Light</h3><section class="akn-subsection" data-eId="sec_1__subsec_1">
<span class="akn-num">(1)</span><span class="akn-content">
<span class="akn-p">The lamp is lit at <a class="akn-ref" href="/akn/zw/act/1">dusk</a>.</span>
</span></section></section></span></span>"""

ECFR_XML = """<?xml version="1.0"?>
<DIV5 N="7" TYPE="PART"
hierarchy_metadata='{&quot;path&quot;:&quot;/on/2099-01-01/title-7/part-7&quot;,&quot;citation&quot;:&quot;7 CFR Part 7&quot;}'
><HEAD>PART 7—LAMPS</HEAD><AUTH><HED>Authority:</HED><PSPACE>5 U.S.C. 1.</PSPACE></AUTH>
<DIV8 N="7.1" TYPE="SECTION"><HEAD>§ 7.1 Light.</HEAD><P>(a) The lamp is lit—</P><P>(1) at dusk; and</P><P>(i) in fog.</P>
<CITA>[40 FR 1]</CITA></DIV8></DIV5>"""

USLM_XML = """<pLaw xmlns="http://schemas.gpo.gov/xml/uslm"><meta><docNumber>9</docNumber><congress>199</congress></meta><main>
<longTitle><docTitle>An Act</docTitle>
</longTitle><section><num value="1">SECTION 1. </num><heading>Light.</heading><subsection><num value="a">(a)</num>
<content>The lamp is lit:
<quotedContent><section><num value="9">9</num><content>Old.</content></section></quotedContent></content></subsection></section>
</main></pLaw>"""

DC_XML = """<section xmlns="https://code.dccouncil.us/schemas/dc-library"><num>51-1</num><heading>Light.</heading><para><num>(1)</num>
<text>The lamp is lit.</text>
<para><num>(A)</num><text>At dusk.</text></para></para><annotations><annotation type="History">2099</annotation></annotations>
</section>"""

FRENCH_MARKDOWN = """---
title: "Code des phares"
identifier: "LEGITEXT000000000001"
country: "fr"
rank: "code"
last_updated: "2099-01-02"
---

# Code des phares

## Titre Ier - Des gardiens

##### Article 1

Le gardien allume la lampe à la tombée de la nuit.

##### Article L2-1

Le présent article s'applique :
1° aux phares ;
2° aux feux.
"""

JUDGMENT_TEXT = """IN THE SUPREME COURT OF INDIA
CIVIL APPELLATE JURISDICTION
CIVIL APPEAL NO. 12 OF 2099

THE HARBOUR BOARD ... APPELLANT(S)
VERSUS
A. KEEPER ... RESPONDENT(S)

J U D G M E N T

B. Lamp, J.

1. Leave granted.

2. The facts are these. The lamp was not lit on 2 March 2098.

3. The question is whether the keeper was bound to light it.

4. We hold that he was. The appeal is allowed.
"""

OPINION_TEXT = """UNITED STATES COURT OF APPEALS
FOR THE NINTH CIRCUIT

HARBOUR BOARD, Plaintiff-Appellant, v. KEEPER, Defendant-Appellee.

No. 99-1234

OPINION

Lamp, Circuit Judge:

I. BACKGROUND

The keeper did not light the lamp. See 8 CFR § 204.5(h)(3).

II. DISCUSSION

We affirm.
"""

CFR_TEXT = """8 CFR 204.5
§ 204.5 Petitions for lamps.
(h) Keepers with extraordinary ability.
(1) A keeper may file a peti-
tion.
(2) Definition. As used in this section: Extraordinary ability means a level of skill.
(3) Initial evidence.
(i) Receipt of lamps;
(ii) Membership.
"""

TAGGED_TEXT = """■ The keeper must light the lamp at dusk. [Para 3]

■ No notice is needed. The board may act at once. [Paras 4, 5]

■ The appeal is allowed. [Para 12]
"""

DOCS_JSONL = json.dumps(
    {
        "doc_id": "zw-act-2099-1",
        "doc_type": "act",
        "title": "Lighthouse Act",
        "jurisdiction": "zw",
        "language": "eng",
        "content": [
            {
                "type": "section",
                "num": "1",
                "heading": "Light",
                "text": "The lamp is lit.",
                "children": ["(1) At dusk."],
            }
        ],
    }
)

PLAIN_TEXT = "Notes on lamps.\n\nThe lamp is lit at dusk.\n\n- at dusk\n- in fog\n"

#: Name of the kind of source, and its bytes.
SAMPLES: dict[str, bytes] = {
    name: text.encode("utf-8")
    for name, text in {
        "swedish_page": SWEDISH_PAGE,
        "swedish_json": SWEDISH_JSON,
        "riksdagen_page": RIKSDAGEN_PAGE,
        "canonical_page": CANONICAL_PAGE,
        "swedish_markdown": SWEDISH_MARKDOWN,
        "indian_markdown": INDIAN_MARKDOWN,
        "indian_json": INDIAN_JSON,
        "zimbabwean_json": ZIMBABWEAN_JSON,
        "akn_xml": AKN_XML,
        "akn_page": AKN_PAGE,
        "ecfr_xml": ECFR_XML,
        "uslm_xml": USLM_XML,
        "dc_xml": DC_XML,
        "french_markdown": FRENCH_MARKDOWN,
        "judgment_text": JUDGMENT_TEXT,
        "opinion_text": OPINION_TEXT,
        "cfr_text": CFR_TEXT,
        "tagged_text": TAGGED_TEXT,
        "docs_jsonl": DOCS_JSONL,
        "plain_text": PLAIN_TEXT,
    }.items()
}
