"""Turkish: stop words and word endings."""

WORDS = """
    ama ancak bana bazı belki ben bir biz bu çok da daha de değil diye dolayı en gibi hem hangi her için ile ise kadar ki
    kim mı mi mu mü nasıl ne neden nerede niçin o olan olarak oldu olduğu on onlar sen siz şey şu tüm ve veya ya
"""
ENDINGS = """
    a e i ı u ü n r lar ler ı ları leri in ın un ün da de ta te dan den la le lık lik luk lük mak mek ma me yor an en dı di
"""
