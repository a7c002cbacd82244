"""The title of a law without metadata: what it calls itself, else its first heading that is not a cover line; own samples."""

import pytest

from legal_pipeline.building.source import SourceFile
from legal_pipeline.model.document import Document
from legal_pipeline.parsing import registry

LAMPS = "\n\n".join(
    f"{number}. (1) Every lamp of harbour {number} shall be lit at dusk.\n\n(2) Section {number} applies to piers."
    for number in range(2, 9)
)
ARTICLES = "\n\n".join(f"{{word}} {number}\n\n{{text}} {number}." for number in range(1, 9))


def read(text: str, name: str = "law-12.txt") -> Document:
    return registry.parse(SourceFile(name, text.encode()))


@pytest.mark.parametrize(
    ("sentence", "title"),
    [
        ("This Act may be cited as the Harbour Lamps Act 2031.", "Harbour Lamps Act 2031"),
        (
            "This Act may be called the Harbour Lamps Act, 2031, and comes into force at once.",
            "Harbour Lamps Act, 2031",
        ),
        (
            "This Act may be cited as the Lamps and Piers Act and shall come into operation at once.",
            "Lamps and Piers Act",
        ),
        ("This Ordinance may be cited for all purposes as “The Harbour Lamps Ordinance”.", "Harbour Lamps Ordinance"),
        ("This Code shall be known as the Lamp Code.", "Lamp Code"),
        ("(1) This Act may be called the 2[* * *] Lamp Act, 1922.(2) It extends to all.", "Lamp Act, 1922"),
        ("This Act may be cited as the Harbour Lamps Act, No. 12 of 2031.", "Harbour Lamps Act, No. 12 of 2031"),
        ("This Ordinance may be cited as the Lamp Ordinance (Cap. 12).", "Lamp Ordinance (Cap. 12)"),
        ("This Act may be cited as the Harbour Lamps Act, No.   of 2031.", "Harbour Lamps Act"),
        ("This Act is the Harbour Lamps Act 2031 and comes into force at once.", "Harbour Lamps Act 2031"),
    ],
)
def test_a_law_is_called_what_it_calls_itself(sentence: str, title: str) -> None:
    text = f"LAWS OF ATLANTIS\n\nREPRINT\n\nAct 350\n\nHARBOUR LAMPS\n\n1. {sentence}\n\n{LAMPS}"
    assert read(text).title == title


def test_a_german_law_is_called_what_it_calls_itself() -> None:
    text = "Bundesgesetzblatt\n\nJahrgang 2031\n\n" + ARTICLES.format(
        word="§", text="Die Leuchte brennt nachts im Hafen"
    ).replace("Hafen 1.", "Hafen 1. Dieses Gesetz kann als „Leuchtengesetz 2031“ zitiert werden.")
    assert read(text).title == "Leuchtengesetz 2031"


@pytest.mark.parametrize(
    ("cover", "word", "title"),
    [
        (
            "EUROPEAN COMMISSION\n\nBrussels, 4.5.2031\n\nCOM(2031) 206 final\n\n2031/0106(COD)\n\nProposal for a\n\nREGULATION ON LAMPS",
            "Article",
            "Proposal for a REGULATION ON LAMPS",
        ),
        (
            "Brüssel, den 4.5.2031\n\nCOM(2031) 206 final\n\nVorschlag für eine\n\nVERORDNUNG ÜBER LEUCHTEN",
            "Artikel",
            "Vorschlag für eine VERORDNUNG ÜBER LEUCHTEN",
        ),
        ("Bruxelles, le 4.5.2031\n\nProposition de\n\nRÈGLEMENT SUR LES LAMPES", "Article", "Proposition de RÈGLEMENT SUR LES LAMPES"),
    ],
)  # fmt: skip
def test_a_proposal_is_called_by_what_it_proposes(cover: str, word: str, title: str) -> None:
    texts = {"Brüssel": "Die Leuchte brennt nachts im Hafen", "Bruxell": "La lampe brûle la nuit dans le port"}
    text = ARTICLES.format(word=word, text=texts.get(cover[:7], "The lamp burns at night in the harbour"))
    assert read(f"{cover}\n\n{text}").title == title


@pytest.mark.parametrize(
    ("cover", "title"),
    [
        ("LAWS OF ATLANTIS\n\nPUBLISHED BY\n\nAct 350\n\nHARBOUR LAMPS ACT", "HARBOUR LAMPS ACT"),
        ("ARRANGEMENT OF SECTIONS\n\nHARBOUR LAMPS ACT", "HARBOUR LAMPS ACT"),
        ("HARBOUR LAMPS ACT\n\nLAWS OF ATLANTIS", "HARBOUR LAMPS ACT"),
        ("www.lamps.example\n\n[In force from 2031]\n\nHARBOUR LAMPS ACT", "HARBOUR LAMPS ACT"),
        ("GOVERNMENT GAZETTE", "Law 12"),
    ],
)
def test_lines_of_a_cover_are_not_the_title(cover: str, title: str) -> None:
    assert read(f"{cover}\n\n1. (1) Be it enacted that lamps are lit.\n\n{LAMPS}").title == title


@pytest.mark.parametrize(
    ("text", "title"),
    [
        (
            "PREÁMBULO\n\nNosotros, el pueblo de la Atlántida.\n\n"
            + ARTICLES.format(word="Artículo", text="La luz del puerto"),
            "Law 12",
        ),
        (
            "LUẬT\n\nĐÈN CẢNG\n\n" + ARTICLES.format(word="Điều", text="Đèn của cảng được thắp sáng mỗi đêm"),
            "LUẬT ĐÈN CẢNG",
        ),
        (
            "Presidência da República\n\nCasa Civil\n\nLei dos Faróis\n\n"
            + ARTICLES.format(word="Art.", text="O farol do porto é aceso todas as noites"),
            "Lei dos Faróis",
        ),
    ],
)
def test_the_heading_of_a_preamble_and_a_word_for_law_are_not_titles(text: str, title: str) -> None:
    assert read(text).title == title


def test_a_stated_title_counts_most() -> None:
    text = f"LAWS OF ATLANTIS\n\n1. This Act may be cited as the Harbour Lamps Act 2031.\n\n{LAMPS}"
    assert registry.parse(SourceFile("a.txt", text.encode(), hints={"title": "Lamps"})).title == "Lamps"


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Fees Act 2031 | Laws of Atlantis", "Fees Act 2031"),
        ("Laws of Atlantis Fees Act 2031", "Fees Act 2031"),
        ("Fees Act 2031", "Fees Act 2031"),
        ("AtlantisLex - Ministry of Lamps and Piers", "FEES ACT 2031"),
        ("GV_2031_04_01", "FEES ACT 2031"),
    ],
)
def test_the_title_of_a_page_counts_as_far_as_the_page_shows_it(stated: str, title: str) -> None:
    provisions = "".join(
        f"<p>Section {number}. Every lamp of harbour {number} shall be lit.</p>" for number in range(1, 9)
    )
    page = f"<html><head><title>{stated}</title></head><body><h1>FEES ACT 2031</h1>{provisions}</body></html>"
    assert read(page, "page.html").title == title


def test_a_title_that_the_page_does_not_show_is_its_title_if_there_is_no_other() -> None:
    provisions = "".join(
        f"<p>Section {number}. Every lamp of harbour {number} shall be lit.</p>" for number in range(1, 9)
    )
    page = f"<html><head><title>Fees Act 2031</title></head><body>{provisions}</body></html>"
    assert read(page, "page.html").title == "Fees Act 2031"


@pytest.mark.parametrize(
    ("lines", "word", "text", "title"),
    [
        (
            ["ΕΦΗΜΕΡΙΣ ΤΗΣ ΚΥΒΕΡΝΗΣΕΩΣ", "ΤΗΣ ΕΛΛΗΝΙΚΗΣ ΔΗΜΟΚΡΑΤΙΑΣ", "ΝΟΜΟΣ ΥΠ’ ΑΡΙΘ. 9172",
             "Φανάρια των λιμένων και άλλες διατάξεις για τους φύλακες."],
            "Άρθρο", "Ο φύλακας ανάβει το φανάρι κάθε βράδυ στο λιμάνι",
            "ΝΟΜΟΣ ΥΠ’ ΑΡΙΘ. 9172 Φανάρια των λιμένων και άλλες διατάξεις για τους φύλακες.",
        ),
        (
            ["ЗАКОН УКРАЇНИ", "Про ліхтарі гаваней"], "Стаття", "Доглядач запалює ліхтар щовечора у гавані",
            "ЗАКОН УКРАЇНИ Про ліхтарі гаваней",
        ),
        (
            ["Decret 9/2031, del 8 de gener, pel qual s’aprova el Reglament dels fanals dels ports i de les seves taxes."],
            "Article", "El guarda encén el fanal cada vespre al port de la vila",
            "Decret 9/2031, del 8 de gener, pel qual s’aprova el Reglament dels fanals dels ports i de les seves taxes.",
        ),
    ],
)  # fmt: skip
def test_titles_as_gazettes_of_other_countries_print_them(lines: list[str], word: str, text: str, title: str) -> None:
    provisions = "\n\n".join(f"{word} {number}\n\n{text} {number}." for number in range(1, 9))
    assert read("\n\n".join([*lines, provisions])).title == title


@pytest.mark.parametrize(
    "cover",
    [
        "02031R0077 — EN — 04.05.2031 — 000.002\n\n►B REGULATION (EU) 2031/77 OF THE COUNCIL",
        "PE-CONS No 2/2031 - 2031/0447(COD)\n\nREGULATION (EU) 2031/77 OF THE COUNCIL",
    ],
)
def test_the_number_of_a_procedure_and_the_mark_of_a_wording_are_no_title(cover: str) -> None:
    articles = ARTICLES.format(word="Article", text="The lamp burns at night in harbour")
    assert read(f"{cover}\n\n{articles}").title == "REGULATION (EU) 2031/77 OF THE COUNCIL"


_ENTRIES = {
    "Articolo": "La lanterna del porto si accende ogni sera",
    "Artigo": "A lâmpada do porto acende todas as noites e não se apaga",
    "Articolul": "Felinarul din port se aprinde în fiecare seară și nu se stinge",
    "Artículo": "La luz del puerto se enciende todas las noches y no se apaga",
    "Članak": "Svjetiljka u luci gori svake noći i ne smije se ugasiti",
    "Члан": "Фењер у луци гори сваке ноћи и не сме да се угаси",
    "straipsnis": "Žibintas uoste dega kiekvieną naktį ir negali būti gesinamas",
    "Άρθρο": "Ο φύλακας ανάβει το φανάρι κάθε βράδυ στο λιμάνι",
    "§": "Svítilna v přístavu hoří každou noc a nesmí být zhasnuta",
    "Article": "The lamp of the harbour is lit every night and the keeper stays with it",
    "Статья": "Фонарь в порту горит каждую ночь и не может быть погашен",
    "Artykuł": "Latarnia w porcie świeci każdej nocy i nie może być gaszona",
}


def _law(cover: str, word: str) -> str:
    """A cover and eight provisions, whose word is behind the number if it begins with a small letter."""
    form = "{number} {word}. Žibintai\n\n{text} {number}." if word.islower() else "{word} {number}\n\n{text} {number}."
    provisions = (form.format(word=word, number=number, text=_ENTRIES[word]) for number in range(1, 9))
    return "\n\n".join([cover, *provisions])


@pytest.mark.parametrize(
    ("cover", "word", "title"),
    [
        ("HRVATSKI SABOR\n\nZAKON\n\nO LUČKIM SVJETILJKAMA", "Članak", "ZAKON O LUČKIM SVJETILJKAMA"),
        ("НАРОДНА СКУПШТИНА\n\nЗАКОН\n\nО ЛУЧКИМ ФЕЊЕРИМА", "Члан", "ЗАКОН О ЛУЧКИМ ФЕЊЕРИМА"),
        ("212/2031 Sb.\n\nVYHLÁŠKA\n\nze dne 4. dubna 2031\n\no přístavních svítilnách", "§",
         "VYHLÁŠKA ze dne 4. dubna 2031 o přístavních svítilnách"),
        ("PRESIDÊNCIA DO CONSELHO DE MINISTROS\n\nDecreto-Lei n.º 33/2031\n\nde 23 de março", "Artigo",
         "Decreto-Lei n.º 33/2031 de 23 de março"),
        ("LIETUVOS RESPUBLIKOS\n\nUOSTO ŽIBINTŲ\n\nĮSTATYMAS", "straipsnis",
         "LIETUVOS RESPUBLIKOS UOSTO ŽIBINTŲ ĮSTATYMAS"),
        ("ΕΦΗΜΕΡΙΔΑ ΤΗΣ ΚΥΒΕΡΝΗΣΕΩΣ\n\nΤΕΥΧΟΣ ΠΡΩΤΟ\n\nΝΟΜΟΣ ΥΠ’ ΑΡΙΘΜ. 6123\n\nΦανάρια των λιμένων", "Άρθρο",
         "ΝΟΜΟΣ ΥΠ’ ΑΡΙΘΜ. 6123 Φανάρια των λιμένων"),
        ("Boletín Oficial\n\nReal Decreto 9/2031, de 3 de abril, por el que se regulan las luces de los puertos.", "Artículo",
         "Real Decreto 9/2031, de 3 de abril, por el que se regulan las luces de los puertos."),
        ("PARLAMENTUL ROMÂNIEI\n\nLEGE nr. 12/2031 privind felinarele porturilor*", "Articolul",
         "LEGE nr. 12/2031 privind felinarele porturilor"),
    ],
)  # fmt: skip
def test_the_body_that_issued_a_law_is_not_its_title(cover: str, word: str, title: str) -> None:
    assert read(_law(cover, word)).title == title


@pytest.mark.parametrize(
    ("cover", "word", "title"),
    [
        ("Zum Inhalt\n\nRIS Startseite\n\nLandesgesetz über die Leuchten der Häfen", "§", "Landesgesetz über die Leuchten der Häfen"),
        ("Strana 14\n\nZÁKON ze dne 4. dubna 2031 o přístavních svítilnách", "§", "ZÁKON ze dne 4. dubna 2031 o přístavních svítilnách"),
        ("Anno XLVIII - Parte I - pag. 14\n\nLEGGE REGIONALE 7 agosto 2031 n. 21\n\nDisciplina dei fanali dei porti", "Articolo",
         "LEGGE REGIONALE 7 agosto 2031 n. 21 Disciplina dei fanali dei porti"),
        ("Poder Legislativo\n\nL E Y Número 87\n\nDe Faros del Estado", "Artículo", "LEY Número 87 De Faros del Estado"),
        ("RZECZYPOSPOLITEJ POLSKIEJ\n\nUSTAWA z dnia 4 czerwca 2031 r.\n\no latarniach portowych1)", "Artykuł",
         "USTAWA z dnia 4 czerwca 2031 r. o latarniach portowych"),
        ("Stadt Lampenau\n\nSatzung über die Leuchten der Häfen\n\n(Leuchtensatzung – LS)", "§",
         "Satzung über die Leuchten der Häfen (Leuchtensatzung – LS)"),
        ("Treaty Series No. 31\n\nConvention on the Protection of Lighthouses and\n\nLanterns", "Article",
         "Convention on the Protection of Lighthouses and Lanterns"),
        ("LEGE Nr. 87\n\nLege privind felinarele porturilor", "Articolul", "Lege privind felinarele porturilor"),
        ("Curso del portal\n\nDECRETO 453 DE 2031\n\n(febrero 26)\n\npor el cual se aprueba un faro.", "Artículo",
         "DECRETO 453 DE 2031 (febrero 26) por el cual se aprueba un faro."),
        ("Nota\n\nReemplazado por: Ley 3 de 2031\n\nLey de los faros", "Artículo", "Ley de los faros"),
        ("О портовых фонарях\n\nЗакон Республики от 8 июня 2031 года.", "Статья", "О портовых фонарях"),
        ("NESLUŽBENI PROČIŠĆENI TEKST\n\nLUČKI ZAKON ATLANTIDE", "Članak", "LUČKI ZAKON ATLANTIDE"),
        ("грађани Атлантиде доносе\n\nУстав Републике Атлантиде", "Члан", "Устав Републике Атлантиде"),
        ("LEI N.º 33/2031 que aprova os faróis dos portos da República Atlântica.", "Artigo",
         "LEI N.º 33/2031 que aprova os faróis dos portos da República Atlântica."),
    ],
)  # fmt: skip
def test_a_line_that_names_the_kind_of_law_is_the_title_before_others(cover: str, word: str, title: str) -> None:
    assert read(_law(cover, word)).title == title


def test_a_hungarian_title_begins_with_a_year_and_a_number() -> None:
    provisions = "\n\n".join(
        f"{number}. § A kikötői lámpa minden éjjel {number} órán át világít." for number in range(1, 9)
    )
    title = "2031. évi XII. törvény a kikötői lámpákról"
    assert read(f"{title}1\n\n{provisions}").title == title


def test_a_cover_may_announce_the_title() -> None:
    cover = "THE SEVEN HUNDRED AND NINTH\n\nACT\n\nENTITLED\n\nHARBOUR LAMPS ACT, 2031"
    assert read(f"{cover}\n\n1. (1) Be it enacted that lamps are lit.\n\n{LAMPS}").title == "HARBOUR LAMPS ACT, 2031"


def test_the_issuing_authority_is_not_the_title_of_guidelines() -> None:
    cover = "Central Bank of Atlantis\n\nGUIDELINES ON LAMPS"
    assert read(f"{cover}\n\n1. (1) Be it enacted that lamps are lit.\n\n{LAMPS}").title == "GUIDELINES ON LAMPS"


def test_an_act_about_an_authority_keeps_its_title() -> None:
    cover = "CENTRAL BANK OF ATLANTIS ACT"
    assert read(f"{cover}\n\n1. (1) Be it enacted that lamps are lit.\n\n{LAMPS}").title == cover


def test_the_heading_of_a_page_is_its_title_above_a_table_of_contents() -> None:
    title = "Real Decreto 9/2031, de 3 de abril, por el que se regulan las luces de los puertos."
    provisions = "".join(
        f"<h6>Artículo {number}. Objeto.</h6><p>La luz del puerto {number} se enciende cada noche.</p>"
        for number in range(1, 9)
    )
    page = f'<html lang="es"><body><h3>{title}</h3><h4>ÍNDICE</h4><h4>TEXTO</h4>{provisions}</body></html>'
    assert read(page, "page.html").title == title


_PROVISIONS = "".join(
    f"<p>Article {number}</p><p>The keeper of harbour {number} lights each lamp at dusk, and puts it out at dawn.</p>"
    for number in range(1, 8)
)


@pytest.mark.parametrize(
    ("page_title", "shown", "title"),
    [
        # the name of the site is printed as well
        ("Lamps Act 2031 | Laws of Atlantis", ["Laws of Atlantis", "Lamps Act 2031"], "Lamps Act 2031"),
        ("A 2031:7 Lamps Act 2031 | Atlantis", ["Atlantis", "Lamps Act 2031"], "Lamps Act 2031"),
        # the page has the number of the law alone
        ("LPM187/2031", ["LPM187/2031", "LAW No. 187", "on the lamps of the harbour"], "LAW No. 187 on the lamps of the harbour"),
        (
            "Official Gazette - LAW No. 2031-31",
            ["LAW No. 2031-31", "LAW No. 2031-31 on lamps and on hives"],
            "LAW No. 2031-31 on lamps and on hives",
        ),
        # without spaces around the dash, and printed in a cell of a table only
        ("港口燈火管理條例-全國法規", ["<table><tr><td>法規名稱</td><td>港口燈火管理條例</td></tr></table>"], "港口燈火管理條例"),
    ],
)  # fmt: skip
def test_the_title_of_a_page_may_name_the_site_or_the_number_alone(
    page_title: str, shown: list[str], title: str
) -> None:
    lines = "".join(f"<p><b>{line}</b></p>" for line in shown)
    page = f"<html lang='en'><head><title>{page_title}</title></head><body>{lines}{_PROVISIONS}</body></html>"
    assert read(page, "law.html").title == title


def test_the_chapter_of_a_code_below_its_title_and_part_is_the_title() -> None:
    sections = "\n\n".join(
        f"### §1420{number}. Lamp {number}\n\nLamp {number} is lit at dusk." for number in range(1, 7)
    )
    head = "[Home](/) » [Statutes](/s) » Title 12\n\n# Title 12: CONSERVATION\n\n# Part 3: FERRIES\n\n# Chapter 915: LAMPS AND BEES"
    assert read(f"{head}\n\n{sections}", "law.md").title == "Chapter 915: LAMPS AND BEES"


def test_a_line_that_begins_with_and_goes_on_the_title() -> None:
    body = ARTICLES.format(word="Article", text="Le feu brûle la nuit au port")
    text = "Loi n° 72-31 relative aux feux d’embarcadère\n\net aux ruches riveraines\n\n"
    assert read(text + body).title == "Loi n° 72-31 relative aux feux d’embarcadère et aux ruches riveraines"


def test_the_line_of_a_gazette_or_a_parliament_is_not_the_title() -> None:
    text = "Anno XLVIII - N. 12 - Parte I\n\nLEGGE REGIONALE 7 agosto 2031 n. 21\n\nDisciplina dei fanali\n\n"
    body = ARTICLES.format(word="Art.", text="Il fanale è acceso di notte nel porto")
    assert read(text + body).title == "LEGGE REGIONALE 7 agosto 2031 n. 21 Disciplina dei fanali"
    text = "EL CONGRESO DE LA REPÚBLICA DE ATLÁNTIDA\n\nREFORMAS A LA LEY DE FAROLES\n\n"
    body = ARTICLES.format(word="Artículo", text="El farol se enciende de noche en el puerto")
    assert read(text + body).title == "REFORMAS A LA LEY DE FAROLES"


def test_a_hungarian_decree_of_a_municipality_begins_with_its_council() -> None:
    title = "Kisrév Község Önkormányzata Képviselő-testületének 7/2031. (V. 2.) önkormányzati rendelete a lámpákról"
    sections = "\n\n".join(f"{number}. §\n\nA {number}. lámpa este ég, és reggel kialszik." for number in range(1, 8))
    assert read(f"Hatályos: 2031.07.01 -\n\n{title}\n\n{sections}").title == title


@pytest.mark.parametrize(
    ("lines", "title"),
    [
        (["2031. évi VII. törvény", "a kikötői lámpákról¹"], "2031. évi VII. törvény a kikötői lámpákról"),
        (["კონსოლიდირებული ვერსია", "საქართველოს კანონი", "ლამპრების შესახებ"], "საქართველოს კანონი ლამპრების შესახებ"),
    ],
)  # fmt: skip
def test_a_number_or_a_word_for_law_goes_on_in_the_next_line(lines: list[str], title: str) -> None:
    words = {
        "2": ("{}. §\n\nA {}. lámpa este ég, és reggel kialszik."),
        "კ": "მუხლი {}\n\nლამპარი {} ღამით ანთია ნავსადგურში.",
    }
    body = "\n\n".join(words[lines[0][0]].format(number, number) for number in range(1, 8))
    assert read("\n\n".join([*lines, body])).title == title


@pytest.mark.parametrize(
    ("stated", "title"),
    [
        ("Decreto-Lei n.º 7/2031 - Diário da República n.º 9/2031, Série I de 2031-10-30", "Decreto-Lei n.º 7/2031, de 30 de outubro"),
        ("Lei dos faróis - Diário da República n.º 9/2031", "Lei dos faróis"),
        ("Lei dos faróis - Portos do Sul", "Lei dos faróis - Portos do Sul"),
    ],
)  # fmt: skip
def test_the_gazette_behind_a_title_in_front_matter_is_no_part_of_it(stated: str, title: str) -> None:
    body = ARTICLES.format(word="Artigo", text="O farol é aceso de noite no porto")
    text = f"---\ntitulo: {stated}\n---\n\n**Decreto-Lei n.º 7/2031, de 30 de outubro**\n\n{body}"
    assert read(text, "law.md").title == title


def test_a_chapter_below_the_name_of_its_code_is_the_title() -> None:
    sections = "\n\n".join(
        f"Sec. 138.00{number}.  LAMPS {number}.  Lamp {number} is lit at dusk." for number in range(1, 7)
    )
    head = "HARBOUR CODE\n\nTITLE 6. FERRIES AND LAMPS\n\nCHAPTER 138. LAMPS AND BEES"
    assert read(f"{head}\n\n{sections}").title == "CHAPTER 138. LAMPS AND BEES"
    articles = ARTICLES.format(word="Article", text="The lamp burns at night in the port")
    assert read(f"HARBOUR CODE\n\n{articles}").title == "HARBOUR CODE"


def test_a_turkish_title_goes_on_to_its_word_for_law() -> None:
    body = "\n\n".join(f"MADDE {number} – (1) Fener gece yanar, gündüz söner." for number in range(1, 7))
    lines = "SAĞLIK BAKANLIĞI\n\nLİMANLARDA YAKILAN FENERLERİN VE ÇANLARIN\n\nBAKIMINA DAİR YÖNETMELİK"
    assert read(f"{lines}\n\n{body}").title == "LİMANLARDA YAKILAN FENERLERİN VE ÇANLARIN BAKIMINA DAİR YÖNETMELİK"


def test_a_sentence_about_a_decree_is_not_the_title() -> None:
    body = ARTICLES.format(word="Artigo", text="O farol é aceso de noite no porto")
    sentence = "O Decreto n.º 7/31, de 3 de abril, aprovou a convenção dos faróis e das ruas do porto."
    assert read(f"REGULAMENTO DOS FARÓIS\n\n{sentence}\n\n{body}").title == "REGULAMENTO DOS FARÓIS"
    assert read(f"{sentence}\n\n{body}").title != sentence


def test_a_file_with_one_chapter_of_a_law_has_its_heading_as_title() -> None:
    sections = "\n\n".join(
        f"### Section {number}\n\nThe board keeps pier {number} in repair." for number in range(13, 19)
    )
    assert read(f"# Chapter II\n\n## Piers\n\n{sections}\n", "ii.md").title == "Chapter II Piers"


def test_a_finnish_word_for_law_goes_on_in_the_next_line_and_an_act_to_be_confirmed_is_no_title() -> None:
    sections = "\n\n".join(f"{number} §\n\nVartija sytyttää lampun {number} illalla." for number in range(1, 6))
    assert read(f"Vahvistettava laki\n\nLaki\n\nsataman lampuista\n\n{sections}").title == "Laki sataman lampuista"


def test_a_sentence_above_a_chinese_law_and_the_remark_of_a_publisher_are_no_titles() -> None:
    articles = "\n".join(f"第{number}条　中华人民共和国境内的灯塔{number}，由管理员点亮。" for number in "一二三四五六")
    decree = "《灯塔法》已由港口会议通过，现予公布，自2031年1月1日起施行。\n　　　港口主席\n　　　2031年6月29日"
    cover = f"{decree}\n\n\n中华人民共和国灯塔法\n（2031年6月29日通过）\n\n"
    document = read(f"{cover}第一章　总　则\n{articles}\n")
    assert document.title == "中华人民共和国灯塔法"
    assert [node.num for node in document.walk() if node.type == "article"] == ["1", "2", "3", "4", "5", "6"]
    remark = "(+++ Textnachweis ab: 1.1.2031 +++)(+++ Zur Anwendung d. § 2 vgl. § 9 LampG +++)"
    german = "\n\n".join(f"§ {number} Lampen\n\nDer Wärter zündet Lampe {number} an." for number in range(1, 8))
    assert not read(f"{remark}\n\n{german}").title.startswith("(+++")


def test_a_law_may_be_named_by_a_line_below_its_short_title() -> None:
    articles = ARTICLES.format(word="Article", text="Member States shall light the lamp of pier")
    text = f"Lamps Directive\n\nDirective 2031/46/EC of the European Parliament and of the Council of 24 October 2031\n\n{articles}"
    document = read(text)
    assert (document.title, document.jurisdiction) == ("Lamps Directive", "eu")
