"""Swedish law: statutes and agency regulations in the layouts that Swedish authorities and publishers use."""
